"""Real processes of Waypost on a cluster, a provider, and clients that remember what was acknowledged."""

import itertools
import json
import os
import subprocess
import threading
import time
from urllib.parse import quote

from cluster import MARK, call, ends_with_parent, wait_until

LANE = "standin"
PORTS = [8081, 8082]


class Ledger:
    """What clients were told, and when."""

    def __init__(self):
        self.keys, self.times, self.lock = [], [], threading.Lock()

    def acknowledge(self, feed, keys):
        with self.lock:
            self.keys += [(feed, key) for key in keys]
            self.times.append(time.time())

    def first_after(self, moment):
        return next((at for at in self.times if at > moment), None)


class Crew:
    def __init__(self, folder, programs, url, workers):
        self.folder, self.programs, self.url, self.workers = folder, programs, url, workers
        self.ledger = Ledger()
        self.numbers = itertools.count(1)
        self.is_over = threading.Event()
        self.children, self.clients = [], []
        self.token = None

    # MARK: Processes

    def environment(self, **more):
        names = {"PATH": os.environ["PATH"], MARK: self.folder, "DATABASE_URL": self.url}
        return names | {"WAYPOST_LOG_FORMAT": "logfmt"} | more

    def waypost(self, *arguments):
        done = subprocess.run(
            [f"{self.programs}/waypost", *arguments], env=self.environment(), capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"waypost {' '.join(arguments)}: {done.stderr}")
        return done.stdout

    def spawn(self, name, command, **environment):
        with open(f"{self.folder}/{name}.log", "ab") as log:
            child = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, preexec_fn=ends_with_parent,
                env=self.environment(**environment))
        child.name = name
        self.children.append(child)
        return child

    def start_provider(self, delay):
        self.recording = f"{self.folder}/calls"
        with open(self.recording, "wb") as file:
            self.recorder = subprocess.Popen(
                [f"{self.programs}/Chaos", "recorder", "1", "60", str(delay)], stdout=file, env=self.environment(),
                preexec_fn=ends_with_parent)
        wait_until("the recorder's port", lambda: open(self.recording).readline().endswith("\n"))
        with open(self.recording) as file:
            port = int(file.readline())
        description = {
            "name": LANE,
            "search": f"http://127.0.0.1:{port}/{LANE}?street={{street}}",
            "latitude": "places[].lat", "longitude": "places[].lon",
            "precision": {"paths": "places[].type", "words": {"house": "rooftop"}, "otherwise": "rooftop"},
            "storage": "unlimited",
        }
        self.service = f"{self.folder}/standin.json"
        with open(self.service, "w") as file:
            json.dump(description, file)

    def prepare(self, rate, burst):
        self.waypost("migrate")
        self.waypost("lanes", "add", LANE)
        self.waypost("lanes", "limit", LANE, f"{rate}/s:burst={burst}")
        self.waypost("chains", "set", "default", f"{LANE}:steps=structured", "--located", "0", "--review", "0")
        self.token = self.waypost(
            "tokens", "create", "failover", "--account", "app", "--scope", "read", "--scope", "write", "--json")
        self.token = json.loads(self.token)["token"]

    def start(self):
        for number, port in enumerate(PORTS, 1):
            self.spawn(
                f"coordinator-{number}", [f"{self.programs}/waypost", "coordinator"], WAYPOST_LISTEN=f"127.0.0.1:{port}")
        for number in range(1, self.workers + 1):
            name = f"worker-{number}"
            self.spawn(
                name, [f"{self.programs}/waypost", "worker", "--name", name], WAYPOST_SERVICE_FILES=self.service,
                WAYPOST_CALLS_AT_ONCE="64")
        wait_until("the API", lambda: all(self.is_ready(port) for port in PORTS))
        for target in (self.write_friends, self.import_feeds):
            client = threading.Thread(target=target, daemon=True)
            client.start()
            self.clients.append(client)

    def is_ready(self, port):
        try:
            return call("GET", f"http://127.0.0.1:{port}/readyz")[0] == 200
        except OSError:
            return False

    def ended(self):
        return [child.name for child in self.children if child.poll() is not None]

    def stop(self):
        self.stop_clients()
        for child in self.children:
            child.terminate()
        for child in self.children:
            child.wait()

    def stop_clients(self):
        self.is_over.set()
        for client in self.clients:
            client.join()

    # MARK: Clients

    def request(self, method, path, body, type, timeout=30):
        """Tries all APIs in turn until one accepts the request. Each request may be repeated."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": type}
        for port in itertools.cycle(PORTS):
            try:
                status, reply = call(method, f"http://127.0.0.1:{port}{path}", body, headers, timeout)
                if 200 <= status < 300:
                    return reply
                if status < 500 and status != 429:
                    raise RuntimeError(f"{method} {path}: {status} {reply}")
            except OSError:
                pass
            time.sleep(0.1)

    def contact(self):
        number = next(self.numbers)
        address = {"street": f"Probeweg {number}", "city": "Berlin", "postcode": "10115", "country": "DE"}
        return {"key": f"{number}", "name": f"Friend {number}", "addresses": [address]}

    def write_friends(self):
        while not self.is_over.is_set():
            contact = self.contact()
            path = f"/v1/feeds/single/friends/{contact['key']}"
            self.request("PUT", path, json.dumps(contact).encode(), "application/json")
            self.ledger.acknowledge("single", [contact["key"]])
            self.is_over.wait(0.2)

    def import_feeds(self):
        for number in itertools.count(1):
            if self.is_over.is_set():
                return
            self.import_contacts(f"feed{number}", 10)
            self.is_over.wait(1)

    def import_contacts(self, feed, count):
        contacts = [self.contact() for _ in range(count)]
        lines = "".join(json.dumps(contact) + "\n" for contact in contacts).encode()
        path = f"/v1/friends?feed={quote(feed)}"
        reply = json.loads(self.request("PUT", path, lines, "application/x-ndjson"))
        if reply.get("refused"):
            raise RuntimeError(f"refused: {reply}")
        self.ledger.acknowledge(feed, [contact["key"] for contact in contacts])

    # MARK: Judgement

    def missing(self):
        """Acknowledged friends that the database no longer has."""
        keys, missing = list(self.ledger.keys), []
        for start in range(0, len(keys), 1000):
            body = {"keys": [{"feed": feed, "key": key} for feed, key in keys[start:start + 1000]]}
            reply = json.loads(
                self.request("POST", "/v1/friends/batch", json.dumps(body).encode(), "application/json"))
            missing += reply["missing"]["keys"]
        return missing

    def progress(self):
        return json.loads(self.request("GET", "/v1/progress", None, "application/json"))

    def calls(self):
        """The times of the recorded calls, with their questions."""
        with open(self.recording) as file:
            lines = file.read().splitlines()[1:]
        return [(int(words[1]) / 1e9, words[0]) for words in map(str.split, lines) if len(words) == 3]

    def judge(self, since, until):
        done = subprocess.run(
            [f"{self.programs}/Chaos", "judge", self.url, self.recording, LANE, str(since), str(until)],
            env=self.environment(), capture_output=True, text=True)
        if not done.stdout:
            raise RuntimeError(f"no judgement: {done.stderr}")
        return json.loads(done.stdout) | {"story": done.stderr}

"""A small cluster for tests of an operator's work: real processes, the recorder as its provider, and clients that
remember what was acknowledged. For .ci/test-upgrade and .ci/test-restore."""
import ctypes, itertools, json, os, re, shutil, signal, subprocess, sys, tempfile, threading, time, urllib.error, urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
LANE = "nominatim"
BEGAN = time.monotonic()


class Failure(Exception):
    pass


def say(text):
    print(f"{time.monotonic() - BEGAN:6.0f} s  {text}", flush=True)


def wait_until(what, holds, seconds=120, pause=0.1):
    end = time.monotonic() + seconds
    while not (found := holds()):
        if time.monotonic() > end:
            raise Failure(f"not within {seconds} s: {what}")
        time.sleep(pause)
    return found


def ends_with_parent():
    """The kernel ends a process whose parent ended."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def run_trial(title, body, keep=None):
    """Runs `body(folder)` and exits: 0, or 1 with the reason. A signal ends the trial with all of its processes. The
    files of the folder, such as logs, are copied to `keep`."""
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    with tempfile.TemporaryDirectory(prefix=f"waypost-{title}.", dir="/tmp") as folder:
        os.chmod(folder, 0o755)
        try:
            body(folder)
        except Failure as failure:
            print(f"test-{title}: {failure}", file=sys.stderr)
            sys.exit(1)
        finally:
            if keep:
                os.makedirs(keep, exist_ok=True)
                for entry in os.scandir(folder):
                    if entry.is_file():
                        shutil.copy(entry.path, keep)


class Trial:
    def __init__(self, folder, url, rate):
        self.folder, self.url, self.rate = folder, url, rate
        self.children, self.clients = {}, []
        self.numbers, self.steps = itertools.count(1), itertools.count(1)
        # The keys of acknowledged friends, by feed, and the number of acknowledged fixes.
        self.friends, self.fixes, self.refusals, self.lock = {}, 0, 0, threading.Lock()
        self.is_over = threading.Event()
        self.ports, self.token = {}, None

    # MARK: Processes

    def environment(self, **more):
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("WAYPOST_", "PG"))}
        provider = {"WAYPOST_NOMINATIM_URL": f"http://127.0.0.1:{self.provider_port}"}
        return kept | provider | {"DATABASE_URL": self.url, "WAYPOST_LOG_FORMAT": "logfmt"} | more

    def start(self, name, command, **environment):
        with open(f"{self.folder}/{name}.log", "ab") as log:
            self.children[name] = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, preexec_fn=ends_with_parent,
                env=self.environment(**environment))

    def stop(self, name, number=signal.SIGTERM):
        child = self.children.pop(name)
        child.send_signal(number)
        code = child.wait(timeout=60)
        if code not in (0, -number):
            raise Failure(f"{name} ended with {code}: {self.tail(name)}")

    def start_recorder(self):
        name, log = "recorder", f"{self.folder}/recorder.log"
        self.provider_port = 0
        self.start(name, [f"{HERE}/recorder", "--port", "0", "--listen", "127.0.0.1", "--limit", self.rate, "--latency",
                          "0.05-0.3", "--log", f"{self.folder}/calls"])
        port = wait_until("the recorder's port", lambda: re.search(r"on port (\d+)", open(log).read()))
        self.provider_port = int(port[1])

    def start_coordinator(self, name, program):
        self.start(name, [program, "coordinator"], WAYPOST_LISTEN="127.0.0.1:0")
        self.ports.pop(name, None)
        log = f"{self.folder}/{name}.log"
        size = os.path.getsize(log)
        found = wait_until("the port of " + name, lambda: re.findall(r"address=127\.0\.0\.1:(\d+)", open(log).read()[size:]))
        wait_until(f"{name} is ready", lambda: self.call("GET", int(found[-1]), "/readyz")[0] == 200)
        self.ports[name] = int(found[-1])

    def start_worker(self, name, program):
        self.start(name, [program, "worker", "--name", name])

    def tail(self, name):
        with open(f"{self.folder}/{name}.log") as log:
            return "".join(log.readlines()[-5:])

    def waypost(self, program, *arguments, codes=(0,)):
        done = subprocess.run([program, *arguments], env=self.environment(), capture_output=True, text=True)
        if done.returncode not in codes:
            raise Failure(f"waypost {' '.join(arguments)} ended with {done.returncode}: {done.stderr or done.stdout}")
        return done.stdout

    def sql(self, text):
        done = subprocess.run(["psql", "-qAtX", "-v", "ON_ERROR_STOP=1", self.url, "-c", text], capture_output=True, text=True)
        if done.returncode:
            raise Failure(f"psql: {done.stderr}")
        return done.stdout.strip()

    # MARK: Clients

    def call(self, method, port, path, body=None, type="application/json"):
        request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", body, method=method)
        request.add_header("Content-Type", type)
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        try:
            with urllib.request.urlopen(request, timeout=30) as reply:
                return reply.status, reply.read()
        except urllib.error.HTTPError as refusal:
            return refusal.code, refusal.read()
        except OSError:
            return 0, b""

    def request(self, method, path, body=None, type="application/json", name=None):
        """Sends a request to the named coordinator, or to each in turn, until one accepts it."""
        while not self.is_over.is_set():
            for port in [self.ports[name]] if name in self.ports else list(self.ports.values()):
                status, reply = self.call(method, port, path, body, type)
                if 200 <= status < 300:
                    return reply
                if 400 <= status < 500 and status != 429:
                    raise Failure(f"{method} {path}: {status} {reply}")
                with self.lock:
                    self.refusals += status != 0
            self.is_over.wait(0.1)

    def prepare(self, program):
        self.waypost(program, "migrate")
        self.waypost(program, "lanes", "add", LANE, codes=(0, 1))
        self.waypost(program, "lanes", "limit", LANE, self.rate)
        self.waypost(program, "chains", "set", "default", LANE)
        self.waypost(program, "trackers", "start", "ada", "--account", "app")
        scopes = [word for scope in ("read", "write", "track", "locate") for word in ("--scope", scope)]
        self.token = json.loads(self.waypost(program, "tokens", "create", "trial", "--account", "app", *scopes, "--json"))["token"]

    def contact(self):
        number = next(self.numbers)
        address = {"street": f"Probeweg {number}", "city": "Berlin", "postcode": "10115", "country": "DE"}
        return {"key": f"{number}", "name": f"Friend {number}", "addresses": [address]}

    def acknowledge(self, feed, contacts):
        with self.lock:
            self.friends.setdefault(feed, []).extend(contact["key"] for contact in contacts)

    def put_friend(self, name):
        contact = self.contact()
        feed = f"single-{name}"
        if self.request("PUT", f"/v1/feeds/{feed}/friends/{contact['key']}", json.dumps(contact).encode(), name=name) is not None:
            self.acknowledge(feed, [contact])

    def import_file(self, name, program, count):
        """Imports new contacts with the command line."""
        contacts = [self.contact() for _ in range(count)]
        path = f"{self.folder}/{name}.ndjson"
        with open(path, "w") as file:
            file.writelines(json.dumps(contact) + "\n" for contact in contacts)
        self.waypost(program, "import", path, "--account", "app", "--feed", f"file-{name}")
        self.acknowledge(f"file-{name}", contacts)

    def send_fix(self, name):
        number = next(self.steps)
        fix = {"_type": "location", "tst": int(time.time()), "lat": 52 + number * 1e-5, "lon": 13.4, "acc": 8, "tid": "ad"}
        if self.request("POST", "/v1/owntracks?u=ada", json.dumps(fix).encode(), name=name) is not None:
            with self.lock:
                self.fixes += 1

    def repeat(self, seconds, act, *arguments):
        """Calls `act` again and again in a thread. The first failure is raised by `stop_clients`."""
        def work():
            try:
                while not self.is_over.wait(seconds):
                    act(*arguments)
            except BaseException as failure:
                client.failure = failure
        client = threading.Thread(target=work, daemon=True)
        client.failure = None
        self.clients.append(client)
        client.start()

    def check_clients(self):
        for client in self.clients:
            if client.failure:
                raise client.failure

    def stop_clients(self):
        self.is_over.set()
        for client in self.clients:
            client.join()
        self.is_over.clear()
        self.check_clients()
        self.clients = []

    # MARK: Judgement

    def waiting(self):
        return int(self.sql("SELECT count(*) FROM geocodes WHERE status = 'waiting'"))

    def missing(self):
        """Acknowledged friends that the database does not have."""
        missing = []
        for feed, keys in self.friends.items():
            for start in range(0, len(keys), 500):
                part = keys[start:start + 500]
                body = {"keys": [{"feed": feed, "key": key} for key in part]}
                reply = json.loads(self.request("POST", "/v1/friends/batch", json.dumps(body).encode()))
                missing += reply["missing"]["keys"]
        return missing

    def report(self):
        return json.loads(self.call("GET", self.provider_port, "/report")[1])

"""A small cluster for tests of an operator's work: real processes, the recorder as its provider, and clients that
remember what was acknowledged. For .ci/test-upgrade, .ci/test-restore and .ci/test-month."""
import ctypes, http.client, itertools, json, os, re, shutil, signal, socket, ssl, subprocess, sys, tempfile, threading, time, urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
LANE, USERS = "nominatim", ("ada", "bob")
BEGAN = time.monotonic()
ANY_CERTIFICATE = ssl._create_unverified_context()


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
    def __init__(self, folder, url, *rates):
        self.folder, self.url, self.rates = folder, url, rates
        # The words before each command, and those of psql.
        self.inside, self.psql = [], ["psql", "-qAtX", "-v", "ON_ERROR_STOP=1", url]
        self.children, self.clients = {}, []
        self.numbers, self.steps = itertools.count(1), itertools.count(1)
        # What was acknowledged: the street of each friend, by feed and key; when each fix was, by user and time.
        self.friends, self.fixes = {}, {}
        # How many answers a disturbance may have lost, so that their addresses are called again.
        self.lost_answers = 0
        self.repeats, self.lock, self.is_over = 0, threading.Lock(), threading.Event()
        self.apis, self.token = {}, None

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
        self.provider_port = 0
        limits = [word for rate in self.rates for word in ("--limit", rate)]
        self.start("recorder", [f"{HERE}/recorder", "--port", "0", "--listen", "127.0.0.1", *limits, "--latency",
                                "0.05-0.3", "--log", f"{self.folder}/calls"])
        port = wait_until("the recorder's port", lambda: re.search(r"on port (\d+)", open(f"{self.folder}/recorder.log").read()))
        self.provider_port = int(port[1])

    def start_coordinator(self, name, program):
        self.apis.pop(name, None)
        log = f"{self.folder}/{name}.log"
        size = os.path.getsize(log) if os.path.exists(log) else 0
        self.start(name, [program, "coordinator"], WAYPOST_LISTEN="127.0.0.1:0")
        found = wait_until("the port of " + name, lambda: re.findall(r"address=(127\.0\.0\.1:\d+)", open(log).read()[size:]))
        api = f"http://{found[-1]}"
        wait_until(f"{name} is ready", lambda: self.call("GET", api, "/readyz")[0] == 200)
        self.apis[name] = api

    def start_worker(self, name, program):
        self.start(name, [program, "worker", "--name", name])

    def tail(self, name):
        with open(f"{self.folder}/{name}.log") as log:
            return "".join(log.readlines()[-5:])

    def run(self, *command, codes=(0,)):
        done = subprocess.run([*self.inside, *command], env=self.environment(), capture_output=True, text=True)
        if done.returncode not in codes:
            raise Failure(f"{' '.join(command)} ended with {done.returncode}: {done.stderr or done.stdout}")
        return done.stdout

    def sql(self, text):
        return self.run(*self.psql, "-c", text).strip()

    # MARK: Clients

    def call(self, method, api, path, body=None, type="application/json"):
        request = urllib.request.Request(api + path, body, {"Content-Type": type}, method=method)
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        try:
            with urllib.request.urlopen(request, timeout=30, context=ANY_CERTIFICATE) as reply:
                return reply.status, reply.read()
        except urllib.error.HTTPError as refusal:
            return refusal.code, refusal.read()
        except (OSError, http.client.HTTPException):
            return 0, b""

    def request(self, method, path, body=None, type="application/json", name=None):
        """Sends a request to the named coordinator, or to each in turn, until one accepts it."""
        while not self.is_over.is_set():
            for api in [self.apis[name]] if name in self.apis else list(self.apis.values()):
                status, reply = self.call(method, api, path, body, type)
                if 200 <= status < 300:
                    return reply
                if 400 <= status < 500 and status != 429:
                    raise Failure(f"{method} {path}: {status} {reply}")
                with self.lock:
                    self.repeats += 1
            self.is_over.wait(0.5)

    def create_token(self, program, name):
        scopes = [word for scope in ("read", "write", "track", "locate") for word in ("--scope", scope)]
        return json.loads(self.run(program, "tokens", "create", name, "--account", "app", *scopes, "--json"))["token"]

    def prepare(self, program):
        self.run(program, "migrate")
        self.run(program, "lanes", "add", LANE, codes=(0, 1))
        self.run(program, "lanes", "limit", LANE, *self.rates)
        self.run(program, "chains", "set", "default", LANE)
        for user in USERS:
            self.run(program, "trackers", "start", user, "--account", "app")
        self.token = self.create_token(program, "trial")

    def contact(self, key=None):
        """A contact at an address that no other contact had."""
        number = next(self.numbers)
        address = {"street": f"Probeweg {number}", "city": "Berlin", "postcode": "10115", "country": "DE"}
        return {"key": key or f"{number}", "name": f"Friend {number}", "addresses": [address]}

    def acknowledge(self, feed, contacts):
        with self.lock:
            self.friends |= {(feed, contact["key"]): contact["addresses"][0]["street"] for contact in contacts}

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
        self.run(program, "import", path, "--account", "app", "--feed", f"file-{name}")
        self.acknowledge(f"file-{name}", contacts)

    def send_fix(self, user, name=None):
        """OwnTracks: keeps a fix until it is accepted."""
        fix = {"_type": "location", "tst": int(time.time()), "lat": 52 + next(self.steps) * 1e-5, "lon": 13.4, "acc": 8, "tid": user[:2]}
        if self.request("POST", f"/v1/owntracks?u={user}", json.dumps(fix).encode(), name=name) is not None:
            with self.lock:
                self.fixes[user, fix["tst"]] = time.time()

    def repeat(self, seconds, act, *arguments):
        """Calls `act` again and again in a thread. The first failure is raised by `check_clients`."""
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

    def report(self):
        return json.loads(self.call("GET", f"http://127.0.0.1:{self.provider_port}", "/report")[1])

    def rows(self, query):
        return {tuple(line.split("|")) for line in self.sql(query).splitlines()}

    def faults(self):
        """What is wrong with the stored data and with the calls."""
        report = self.report()
        # A process that is stopped between its check and its call sends it late: docs/design/rate-limits.md
        slipped = int(self.sql("SELECT coalesce(sum(slipped), 0) FROM throughput"))
        known = {(*key, street) for key, street in self.friends.items()}
        friends = self.rows("SELECT feed, source_key, addresses.street FROM friends JOIN addresses ON friend = friends.id "
                            "JOIN geocodes USING (hash) WHERE deleted_at IS NULL AND status = 'located'")
        lost = {(user, str(at)) for user, at in self.fixes} - self.rows(
            "SELECT user_id, extract(epoch FROM at)::bigint FROM fixes JOIN trackers ON trackers.id = tracker")
        return [text for text, is_true in {
            f"{len(known - friends)} acknowledged friends are missing, or their address or place": known - friends,
            f"{len(friends - known)} friends should not exist, or not with this address": friends - known,
            f"{len(lost)} acknowledged fixes are missing": lost,
            f"{report['repeated_calls']} calls were repeated, {self.lost_answers} answers may have been lost":
                report["repeated_calls"] > self.lost_answers,
            f"{report['windows_over']} windows are over the limit, with {slipped} slipped calls: {report['worst_excess_calls']}":
                max(report["worst_excess_calls"].values()) > slipped,
        }.items() if is_true]

    def damages(self):
        """Ways to damage what `faults` judges. The key is a part of the fault that must be found then."""
        return {
            "friends should not exist": lambda: self.friends.popitem(),
            "friends are missing": lambda: self.sql(
                "UPDATE friends SET deleted_at = now() WHERE id = (SELECT min(id) FROM friends WHERE deleted_at IS NULL)"),
            "fixes are missing": lambda: self.sql("DELETE FROM fixes WHERE at = (SELECT min(at) FROM fixes)"),
            "windows are over": lambda: self.call_provider(*range(60)),
            "calls were repeated": lambda: self.call_provider(*["again"] * (2 + self.lost_answers - self.report()["repeated_calls"])),
        }

    def call_provider(self, *queries):
        """Calls the provider at once, without regard to the limits."""
        count = self.report()["calls"] + len(queries)
        peers = [socket.create_connection(("127.0.0.1", self.provider_port)) for _ in queries]
        for peer, query in zip(peers, queries):
            peer.sendall(f"GET /search?q={query} HTTP/1.1\r\n\r\n".encode())
        wait_until("the recorder has the calls", lambda: self.report()["calls"] == count)

    def judge(self):
        """Fails if there are faults. If not, damages the data and the calls, one after the other: each must be found."""
        print(json.dumps({"friends": len(self.friends), "fixes": len(self.fixes), "requests_repeated": self.repeats,
                          "answers_that_may_be_lost": self.lost_answers, "recorder": self.report()}, indent=1))
        if found := self.faults():
            raise Failure("; ".join(found))
        say("nothing lost, no address called without need, the limits kept")
        for part, damage in self.damages().items():
            before = found
            damage()
            found = self.faults()
            if any(part in fault for fault in before) or not any(part in fault for fault in found):
                raise Failure(f"the judge must find that {part}; it found {found}, and before the damage {before}")
        say(f"{len(self.damages())} damages were found by the judge")

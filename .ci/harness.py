"""The harness of all tests of whole programs. A story starts a cluster, loads it, breaks it, and judges it at one recorder.

`story` runs the body of a test, and removes everything afterwards. `Trial` is a cluster with the recorder as its provider
and with clients that remember what was acknowledged. `Server` is a PostgreSQL server, `Machine` a Debian with systemd, and
`blocks` reads the commands of a page.
"""
import argparse, ctypes, glob, http.client, itertools, json, os, re, shutil, signal, socket, ssl, subprocess, sys, tempfile, threading, time
import urllib.request

from recorder import Limit, read_log, report

HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.dirname(HERE)
BIN = max(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[4]), default="")
LANE, USERS = "nominatim", ("ada", "bob")
BEGAN = time.monotonic()
ANY_CERTIFICATE = ssl._create_unverified_context()
PROGRAM = f"{REPOSITORY}/.build/debug/waypost"
AS_POSTGRES = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] if os.geteuid() == 0 else []


class Failure(Exception):
    pass


def arguments(*words, **defaults):
    """The command line of a story, which its docstring explains: paths, and options with their defaults. The program is
    the debug build unless given. An option whose default is False takes no value."""
    text = sys.modules["__main__"].__doc__
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    for word in words:
        parser.add_argument(word, type=os.path.realpath, **({"nargs": "?", "default": PROGRAM} if word == "program" else {}))
    for name, default in defaults.items():
        form = {bool: {"action": "store_true"}, type(None): {}}.get(type(default), {"type": type(default)})
        parser.add_argument(f"--{name.replace('_', '-')}", default=default, **form)
    return parser.parse_args()


def with_packages():
    """Runs this program again with the packages of .ci/requirements.txt."""
    if sys.prefix == sys.base_prefix:
        python = f"{run(f'{HERE}/python', stderr=None).strip()}/python"
        os.execv(python, [python, "-B", *sys.argv])


def say(text):
    print(f"{time.monotonic() - BEGAN:6.0f} s  {text}", flush=True)


def expect(holds, text):
    if not holds:
        raise Failure(text)


def write(path, text, mode=0o644):
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)
    os.chmod(path, mode)


def wait_until(what, holds, seconds=120, pause=0.1):
    end = time.monotonic() + seconds
    while not (found := holds()):
        expect(time.monotonic() < end, f"not within {seconds} s: {what}")
        time.sleep(pause)
    return found


def run(*command, codes=(0,), **options):
    """The standard output of a command that ends with one of the codes."""
    if "input" not in options:
        options.setdefault("stdin", subprocess.DEVNULL)
    done = subprocess.run(command, text=True, **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options)
    printed = done.stdout + (done.stderr or "")
    expect(done.returncode in codes, f"{' '.join(command)} ended with {done.returncode}: {printed[-3000:]}")
    return done.stdout


def certify(folder, name="localhost", days=90):
    """Makes a certificate and its key, and returns their paths."""
    paths = f"{folder}/tls.crt", f"{folder}/tls.key"
    run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", str(days),
        "-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}", "-out", paths[0], "-keyout", paths[1])
    return paths


def ends_with_parent():
    """The kernel ends a process whose parent ended."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def end_marked(folder):
    """Ends all processes that inherited the variable of this story."""
    mark, found = f"STORY={folder}".encode(), True
    while found:
        found = []
        for path in glob.glob("/proc/[0-9]*/environ"):
            try:
                with open(path, "rb") as file:
                    if mark in file.read().split(b"\0"):
                        found.append(int(path.split("/")[2]))
                        os.kill(found[-1], signal.SIGKILL)
            except OSError:
                pass
        time.sleep(0.02)


def story(body, spaces=(), keep=None):
    """Runs `body(folder)` and exits: 0, or 1 with the reason. `spaces` are namespaces, such as "net": as root, the story
    runs in those of its own, and a failed or ended story leaves nothing. The files of the folder, such as logs, are copied
    to `keep`."""
    title = os.path.basename(sys.argv[0])
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    # The caller's settings for another server must not be used here.
    for name in [name for name in os.environ if name.startswith("PG")]:
        del os.environ[name]
    if folder := os.environ.get("STORY"):
        if "net" in spaces and os.geteuid() == 0:
            run("ip", "link", "set", "lo", "up")
        try:
            body(folder)
        except Failure as failure:
            sys.exit(f"{title}: {failure}")
        return
    apart = [f"--{space}" for space in spaces] if os.geteuid() == 0 else []
    if "--pid" in apart:
        apart += ["--fork", "--kill-child", "--mount-proc"]
    with tempfile.TemporaryDirectory(prefix="waypost-story.", dir="/tmp", ignore_cleanup_errors=True) as folder:
        os.chmod(folder, 0o755)
        # The first process of a namespace must reap the others, which bash does and Python does not.
        command = [*(["unshare", *apart, "bash", "-c", '"$@" & wait "$!"', "bash"] if apart else []), sys.executable, "-B", *sys.argv]
        child = subprocess.Popen(command, env=os.environ | {"STORY": folder})
        try:
            code = child.wait()
        finally:
            if "--pid" in apart:
                child.kill()
            elif child.poll() is None:
                child.terminate()
            child.wait()
            end_marked(folder)
            if keep:
                os.makedirs(keep, exist_ok=True)
                for entry in filter(os.path.isfile, glob.glob(f"{folder}/*")):
                    shutil.copy(entry, keep)
    sys.exit(code)


def hand_over(command, **environment):
    """Runs the command of a wrapper, and exits with its code."""
    outer = {name: value for name, value in os.environ.items() if name != "STORY"}
    child = subprocess.Popen(command, env=outer | environment)
    try:
        code = child.wait()
    finally:
        if child.poll() is None:
            child.terminate()
            child.wait()
    sys.exit(code if code >= 0 else 128 - code)


def blocks(page, section=".*", kind="sh"):
    """The blocks of a kind in the sections of a page whose title matches: pairs of a title and a text.

    After a line that begins with "**Look:**", the title is "SECTION: Look".
    """
    found, heading, title, inside = [], "", "", False
    with open(f"{REPOSITORY}/{page}") as file:
        for line in file:
            if line.startswith("```"):
                inside = line == f"```{kind}\n" and re.fullmatch(section, title)
                found += [(title, [])] if inside else []
            elif inside:
                found[-1][1].append(line)
            elif line.startswith("## "):
                heading = title = line[3:].strip()
            elif part := re.match(r"\*\*(\w+):\*\*", line):
                title = f"{heading}: {part[1]}"
    return [(title, "".join(lines)) for title, lines in found]


class Server:
    """A PostgreSQL server on a socket, which the user postgres owns if we are root."""

    def __init__(self, folder, name="data"):
        self.home, self.data, self.child = folder, f"{folder}/{name}", None
        self.url = f"postgresql://postgres@/waypost?host={folder}"
        os.makedirs(folder, 0o700, exist_ok=True)
        if AS_POSTGRES:
            shutil.chown(folder, "postgres", "postgres")

    def run(self, program, *words, **options):
        return run(*AS_POSTGRES, f"{BIN}/{program}", *words, cwd="/", **options)

    def make(self):
        self.run("initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "-N")
        return self

    def start(self, *settings):
        flags = [word for setting in ("listen_addresses=", *settings) for word in ("-c", setting)]
        with open(f"{self.data}.log", "ab") as log:
            self.child = subprocess.Popen(
                [*(AS_POSTGRES or ["setpriv"]), "--pdeathsig", "QUIT", f"{BIN}/postgres", "-D", self.data, "-k", self.home, *flags],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/", start_new_session=True)
        wait_until("the server accepts writes", lambda: subprocess.run(
            ["psql", "-qAtX", "-h", self.home, "-U", "postgres", "-d", "postgres", "-c", "SELECT NOT pg_is_in_recovery()"],
            capture_output=True, text=True).stdout == "t\n")
        return self

    def create_database(self):
        self.run("createdb", "-h", self.home, "-U", "postgres", "waypost")
        return self

    def crash(self):
        self.child.send_signal(signal.SIGQUIT)  # at once, without a checkpoint
        self.child.wait()


class Machine:
    """A Debian with systemd: see .ci/machine."""

    def __init__(self, path, *packages, network_of=None):
        self.path, self.environment = path, os.environ | ({"NETWORK_OF": network_of.path} if network_of else {})
        self.tool("make", *packages)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for action in "cut", "remove":
            self.tool(action)

    def tool(self, action, *words, **options):
        return run(f"{HERE}/machine", action, self.path, *words, env=self.environment, **options)

    def run(self, command, **options):
        """Runs a line of shell in the machine, as its operator."""
        return self.tool("run", "bash", "-euc", command, **options)

    def write(self, path, text, mode="644"):
        self.run(f"umask 077; mkdir -p $(dirname {path}); cat > {path}; chmod {mode} {path}", input=text)

    def type_page(self, page, section=".*", *files):
        """Types the commands of the sections whose title matches, in one shell, as root in its home directory, where the files
        are too. A later shell for the same page has the functions of the earlier one."""
        with open(f"{REPOSITORY}/{page}") as file:
            text, typed, end = file.read(), "", 0
        for _, commands in blocks(page, section):
            begin, end = text.index(commands, end), text.index(commands, end) + len(commands)
            # Empty lines stand for the rest of the page, so that the shell's line numbers are the page's.
            typed += "\n" * (text.count("\n", 0, begin) - typed.count("\n")) + commands
        expect(typed, f"{page} has no commands in {section}")
        for path in files:
            with open(path, "rb") as file:
                self.run(f"cat >/root/{os.path.basename(path)}", stdin=file)
        self.write("/opt/page", typed)
        # The shell reads these before the page. They print each command with its line, and the line of a failure.
        self.write("/opt/page.traps", """unset BASH_ENV
set -Eeuo pipefail
functions=/opt/${page##*/}.functions
if [[ -e $functions ]]; then . "$functions"; fi
trap 'declare -f >"$functions"' EXIT
trap 'printf "%s:%s: ended with %s: %s\\n" "$page" "$LINENO" "$?" "$BASH_COMMAND" >&2' ERR
trap 'printf "%s:%s: %s\\n" "$page" "$LINENO" "$BASH_COMMAND"' DEBUG
""")
        self.tool("run", "env", "-C", "/root", "DEBIAN_FRONTEND=noninteractive", f"page={page}", "BASH_ENV=/opt/page.traps", "bash", "/opt/page")

    def property(self, unit, name):
        return self.run(f"systemctl show --value --property {name} {unit}").strip()

    def renew_certificate(self, certificate, key, name="localhost"):
        """Replaces a certificate and its key. The group waypost may read both."""
        with tempfile.TemporaryDirectory() as folder:
            for made, path in zip(certify(folder, name), (certificate, key)):
                with open(made) as file:
                    self.write(f"{path}.new", file.read(), "640")
        self.run(f"chgrp waypost {key}.new {certificate}.new; mv {key}.new {key}; mv {certificate}.new {certificate}")

    def enter_network(self):
        """From now on this process, its clients and the recorder are in the network of the machine."""
        network, supervisor = (open(f"{self.path}/{name}").read().strip() for name in ("network", "supervisor"))
        with open(f"/proc/{supervisor}/root{network}") as file:
            expect(ctypes.CDLL(None, use_errno=True).setns(file.fileno(), 0x40000000) == 0, f"setns: {os.strerror(ctypes.get_errno())}")


class Trial:
    def __init__(self, folder, url, *rates, program="waypost"):
        self.folder, self.url, self.rates, self.program, self.provider = folder, url, rates, program, ""
        # The words before each command, and psql of the server.
        self.inside, self.psql = [], ["psql", "-qAtX", "-v", "ON_ERROR_STOP=1", url]
        self.children, self.clients = {}, []
        self.steps, self.made = itertools.count(1), 0
        # What was acknowledged: the street of each friend, by feed and key; when each fix was, by user and time. The times
        # are those of the acknowledgements.
        self.friends, self.fixes, self.times = {}, {}, []
        # How many answers a disturbance may have lost, so that their addresses are called again.
        self.lost_answers = 0
        self.repeats, self.lock, self.is_over = 0, threading.Lock(), threading.Event()
        self.apis, self.token, self.account = {}, None, "app"
        # The copy of a client that follows the changes of the API, its place, and how often it began.
        self.mirror, self.since, self.mirrors = {}, "0", 1
        # Each contact's address is called, and nothing else.
        self.is_exact = True

    # MARK: Processes

    def environment(self, **more):
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("WAYPOST_", "PG"))}
        return kept | {"WAYPOST_NOMINATIM_URL": self.provider, "DATABASE_URL": self.url, "WAYPOST_LOG_FORMAT": "logfmt"} | more

    def start(self, name, command, **environment):
        with open(f"{self.folder}/{name}.log", "ab") as log:
            self.children[name] = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, preexec_fn=ends_with_parent,
                env=self.environment(**environment))

    def stop(self, name, number=signal.SIGTERM):
        self.apis.pop(name, None)
        child = self.children.pop(name)
        child.send_signal(number)
        code = child.wait(timeout=60)
        expect(code in (0, -number), f"{name} ended with {code}: {self.tail(name)}")

    def stop_all(self, number=signal.SIGTERM, but=("recorder",)):
        for name in [name for name in self.children if name not in but]:
            self.stop(name, number)

    def start_prometheus(self, rules, interval, **jobs):
        configs = [{"job_name": name.replace("_", "-")} | job for name, job in jobs.items()]
        settings = {"global": interval, "rule_files": [rules], "scrape_configs": configs}
        write(f"{self.folder}/prometheus.yml", json.dumps(settings))
        self.start("prometheus", ["prometheus", f"--config.file={self.folder}/prometheus.yml",
                                  "--web.listen-address=127.0.0.1:9090", f"--storage.tsdb.path={self.folder}/series"])

    def start_recorder(self, *words, latency="0.05-0.3", host="127.0.0.1"):
        self.provider, self.provider_host = "", host
        limits = [word for rate in self.rates for word in ("--limit", rate)]
        self.start("recorder", [f"{HERE}/recorder.py", "--listen", host, "--port", "0", *limits, "--latency", latency, "--log", f"{self.folder}/calls", *words])
        port = wait_until("the recorder's port", lambda: re.search(r"on port (\d+)", self.text("recorder")))
        self.provider_port = int(port[1])
        self.provider = f"http://{host}:{port[1]}"

    def start_coordinator(self, name, program=None, **environment):
        self.apis.pop(name, None)
        size = len(self.text(name))
        self.start(name, [program or self.program, "coordinator"], WAYPOST_LISTEN="127.0.0.1:0", **environment)
        found = wait_until("the port of " + name, lambda: re.findall(r"address=(127\.0\.0\.1:\d+)", self.text(name)[size:]))
        api = f"http://{found[-1]}"
        wait_until(f"{name} is ready", lambda: self.call("GET", api, "/readyz")[0] == 200)
        self.apis[name] = api

    def start_worker(self, name, program=None, **environment):
        self.start(name, [program or self.program, "worker", "--name", name], **environment)

    def ended(self):
        return [name for name, child in self.children.items() if child.poll() is not None]

    def text(self, name):
        path = f"{self.folder}/{name}.log"
        return open(path, errors="replace").read() if os.path.exists(path) else ""

    def tail(self, name):
        return "\n".join(self.text(name).splitlines()[-5:])

    def run(self, *command, codes=(0,), **options):
        return run(*self.inside, *command, codes=codes, env=self.environment(), **options)

    def waypost(self, *words, **options):
        return self.run(self.program, *words, **options)

    def sql(self, text):
        return run(*self.psql, "-c", text).strip()

    # MARK: Clients

    def call(self, method, api, path, body=None, type="application/json", timeout=30):
        request = urllib.request.Request(api + path, body, {"Content-Type": type}, method=method)
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        try:
            with urllib.request.urlopen(request, timeout=timeout, context=ANY_CERTIFICATE) as reply:
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
                expect(not 400 <= status < 500 or status == 429, f"{method} {path}: {status} {reply}")
                with self.lock:
                    self.repeats += 1
            self.is_over.wait(0.1)

    def create_token(self, name, *scopes):
        words = [word for scope in scopes or ("read", "write", "track", "locate") for word in ("--scope", scope)]
        return json.loads(self.waypost("tokens", "create", name, "--account", self.account, *words, "--json"))["token"]

    def set_lanes(self):
        self.waypost("lanes", "limit", LANE, *self.rates)
        self.waypost("chains", "set", "default", LANE)

    def prepare(self):
        self.waypost("migrate")
        self.waypost("lanes", "add", LANE, codes=(0, 1))
        self.set_lanes()
        for user in USERS:
            self.waypost("trackers", "start", user, "--account", self.account)
        self.token = self.create_token("trial")

    def contact(self, key=None):
        """A contact at an address that no other contact had."""
        with self.lock:
            self.made += 1
            number = self.made
        address = {"street": f"Probeweg {number}", "city": "Berlin", "postcode": "10115", "country": "DE"}
        return {"key": key or f"{number}", "name": f"Friend {number}", "addresses": [address]}

    def acknowledge(self, feed, contacts):
        with self.lock:
            self.friends |= {(feed, contact["key"]): contact["addresses"][0]["street"] for contact in contacts}
            self.times.append(time.time())

    def put_friend(self, name=None):
        contact = self.contact()
        feed = f"single-{name}"
        if self.request("PUT", f"/v1/feeds/{feed}/friends/{contact['key']}", json.dumps(contact).encode(), name=name) is not None:
            self.acknowledge(feed, [contact])

    def put_feed(self, feed, contacts):
        """Imports a feed as a program would, and would again."""
        reply = self.request("PUT", f"/v1/friends?feed={feed}", lines(contacts).encode(), "application/x-ndjson")
        if reply is not None:
            expect(not json.loads(reply).get("refused"), f"refused: {reply}")
            self.acknowledge(feed, contacts)

    def load(self, count, feed="file", program=None):
        """Imports new contacts with the command line."""
        contacts = [self.contact() for _ in range(count)]
        self.run(program or self.program, "import", "-", "--from", "ndjson", "--account", self.account, "--feed", feed, input=lines(contacts))
        self.acknowledge(feed, contacts)

    def send_fix(self, user, name=None):
        """OwnTracks: keeps a fix until it is accepted."""
        fix = {"_type": "location", "tst": int(time.time()), "lat": 52 + next(self.steps) * 1e-5, "lon": 13.4, "acc": 8, "tid": user[:2]}
        if self.request("POST", f"/v1/owntracks?u={user}", json.dumps(fix).encode(), name=name) is not None:
            with self.lock:
                self.fixes[user, fix["tst"]] = time.time()

    def follow(self):
        """Brings the client's copy of the account up to date. It begins again if the API no longer has its place."""
        has_more = True
        while has_more:
            api = next(iter(self.apis.values()))
            status, reply = self.call("GET", api, f"/v1/friends?updated_since={self.since}&limit=500")
            if status == 410:
                self.mirror, self.since, self.mirrors = {}, "0", self.mirrors + 1
                continue
            if status != 200:
                return
            page = json.loads(reply)
            self.mirror |= {friend["id"]: friend for friend in page["data"]}
            for friend in page["removed"]:
                self.mirror.pop(friend["id"], None)
            self.since, has_more = page["next_since"], page["has_more"]

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

    def calls(self):
        return read_log(f"{self.folder}/calls")

    def report(self):
        return report(self.calls(), [Limit(rate) for rate in self.rates])

    def number(self, query):
        return int(self.sql(query))

    def waiting(self):
        return self.number("SELECT count(*) FROM geocodes WHERE status = 'waiting'")

    def located(self):
        return self.number("SELECT count(*) FROM geocodes WHERE status = 'located'")

    def leader(self):
        """The process that leads, or nothing."""
        return self.sql("SELECT pid FROM coordinators JOIN leadership ON coordinator = id AND until > now()")

    def slipped(self):
        """A process that is stopped between its check and its call sends it late: docs/design/rate-limits.md"""
        return self.number("SELECT coalesce(sum(slipped), 0) FROM throughput")

    def rows(self, query):
        return [tuple(line.split("|")) for line in self.sql(query).splitlines()]

    def faults(self):
        """What is wrong with the stored data and with the calls."""
        report, slipped = self.report(), self.slipped()
        known, feeds = {(*key, street) for key, street in self.friends.items()}, {feed for feed, _ in self.friends}
        rows = [row for row in self.rows(
            "SELECT feed, source_key, addresses.street, geocodes.latitude, geocodes.longitude FROM friends JOIN addresses ON friend = friends.id "
            "JOIN geocodes USING (hash) WHERE deleted_at IS NULL AND status = 'located' AND geocodes.provider = 'nominatim'") if row[0] in feeds]
        friends = {row[:3] for row in rows}
        lost = {(user, str(at)) for user, at in self.fixes} - set(self.rows(
            "SELECT user_id, extract(epoch FROM at)::bigint FROM fixes JOIN trackers ON trackers.id = tracker") if self.fixes else [])
        return [text for text, is_true in {
            f"{len(known - friends)} acknowledged friends are missing, or their address or place": known - friends,
            f"{len(friends - known)} friends should not exist, or not with this address": friends - known,
            f"{len(rows) - len({row[3:] for row in rows})} friends have the place of another one": len({row[3:] for row in rows}) < len(rows),
            f"{len(lost)} acknowledged fixes are missing": lost,
            f"{report['distinct_queries']} addresses were called, and there are {self.made}":
                self.is_exact and report["distinct_queries"] != self.made,
            f"{report['repeated_calls']} calls were repeated, and {self.lost_answers} answers may have been lost":
                report["repeated_calls"] > self.lost_answers,
            f"a window is over the limit, with {slipped} slipped calls: {report}": report["worst_excess"] > slipped,
        }.items() if is_true]

    def damages(self):
        """Ways to damage what `faults` judges. The key is a part of the fault that must be found then."""
        return {
            "friends should not exist": lambda: self.friends.popitem(),
            "friends are missing": lambda: self.sql("UPDATE friends SET deleted_at = now() WHERE (feed, source_key) = ('{}', '{}')".format(
                *next(iter(self.friends)))),
            "the place of another one": lambda: self.sql(
                "UPDATE geocodes SET latitude = 1, longitude = 1 WHERE hash IN (SELECT hash FROM addresses JOIN friends ON friends.id = friend "
                "WHERE deleted_at IS NULL AND feed IN ({}) LIMIT 2)".format(", ".join({f"'{feed}'" for feed, _ in self.friends}))),
            **({"fixes are missing": lambda: self.sql("DELETE FROM fixes WHERE at = (SELECT min(at) FROM fixes)")} if self.fixes else {}),
            **({"addresses were called": lambda: self.call_provider("new")} if self.is_exact else {}),
            "a window is over": lambda: self.call_provider(*range(60 + self.slipped())),
            "calls were repeated": lambda: self.call_provider(*["again"] * (2 + self.lost_answers - self.report()["repeated_calls"])),
        }

    def call_provider(self, *queries):
        """Calls the provider at once, without regard to the limits."""
        count = self.report()["calls"] + len(queries)
        peers = [socket.create_connection((self.provider_host, self.provider_port)) for _ in queries]
        for peer, query in zip(peers, queries):
            peer.sendall(f"GET /search?q={query} HTTP/1.1\r\n\r\n".encode())
        wait_until("the recorder has the calls", lambda: self.report()["calls"] == count)

    def settle(self, seconds=300):
        """Waits for all answers, and fails if there are faults."""
        wait_until("no address waits", lambda: self.waiting() == 0, seconds, 0.5)
        if found := self.faults():
            raise Failure("; ".join(found))
        report = self.report()
        say(f"{len(self.friends)} friends have their places; {report['calls']} calls, {report['repeated_calls']} repeated")

    def judge(self):
        """Fails if there are faults. If not, damages the data and the calls, one after the other: each must be found."""
        self.settle()
        time.sleep(2)  # One more call is within the limit.
        load = os.getloadavg()[0]
        print(json.dumps({"friends": len(self.friends), "fixes": len(self.fixes), "requests_repeated": self.repeats, "load": load,
                          "answers_that_may_be_lost": self.lost_answers, "slipped": self.slipped(), "recorder": self.report()}))
        found, damages = [], self.damages()
        for part, damage in damages.items():
            before = found
            damage()
            found = self.faults()
            expect(any(part in fault for fault in found) and not any(part in fault for fault in before),
                   f"the judge must find that {part}; it found {found}, and before the damage {before}")
        say(f"nothing lost, no address called without need, the limits kept; the judge found each of {len(damages)} damages")


def lines(contacts):
    return "".join(json.dumps(contact) + "\n" for contact in contacts)

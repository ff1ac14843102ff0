"""Runs the pods of rendered Kubernetes objects without Kubernetes, as a kubelet would. .ci/test-kubernetes calls it, in
network, mount and process namespaces of its own, with DATABASE_URL of a server that also listens on 10.77.0.1.

    pods.py DIRECTORY PROGRAM [--bind LIBRARIES]

The directory has plain.yaml and tls.yaml.

A container is PROGRAM in bwrap: the user, the read-only root, the mounts, the environment and the command of the objects,
no capability, no new privileges. Each pod has a network namespace of its own. The probes come over the network.
"""
import argparse, concurrent.futures, itertools, json, os, pathlib, signal, ssl, subprocess, sys, time, urllib.error, urllib.request
import yaml
from kubernetes import Objects

NODE = "10.77.0.1"
PASSWORD = "o'dd %/@: pässword"  # percent-encoded in DATABASE_URL
ADDRESSES = 160  # each costs one call of the provider


def run(*command, **options):
    return subprocess.run(command, check=True, text=True, capture_output=True, **options).stdout


def say(text):
    print(f"{time.monotonic() - began:5.1f} s  {text}", flush=True)


class Volume:
    """The files of a Secret, as the kubelet lays them out: the names are links that one rename changes together."""

    def __init__(self, folder, gid, mode):
        self.folder, self.gid, self.mode, self.version = folder, gid, mode, 0
        os.makedirs(folder)
        os.chmod(folder, 0o755)

    def write(self, files):
        self.version += 1
        inner = f"..{self.version}"
        os.mkdir(f"{self.folder}/{inner}", 0o755)
        for name, text in files.items():
            path = f"{self.folder}/{inner}/{name}"
            with open(path, "w") as file:
                file.write(text)
            os.chown(path, 0, self.gid)
            os.chmod(path, self.mode)
            if not os.path.lexists(f"{self.folder}/{name}"):
                os.symlink(f"..data/{name}", f"{self.folder}/{name}")
        os.symlink(inner, f"{self.folder}/..new")
        os.rename(f"{self.folder}/..new", f"{self.folder}/..data")


class Container:
    def __init__(self, pod, box, extra={}):
        self.pod, self.box = pod, box
        self.environment = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOSTNAME": pod.name}
        self.environment |= pod.objects.settings(box) | extra
        user = pod.spec["securityContext"]
        self.restricted = ["setpriv", f"--reuid={user['runAsUser']}", f"--regid={user['runAsGroup']}", f"--groups={user['fsGroup']}",
                           "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all"]
        # bwrap makes missing parents of a mount for root only.
        mounts = ["--perms", "0755", "--dir", "/run", "--perms", "0755", "--dir", "/run/secrets"]
        for mount in box["volumeMounts"]:
            if mount["name"] in pod.volumes:
                mounts += ["--ro-bind", pod.volumes[mount["name"]].folder, mount["mountPath"]]
            else:
                mounts += ["--perms", "1777", "--tmpfs", mount["mountPath"]]
        for library in options.bind:
            for parent in reversed(pathlib.Path(library).parents[:-1]):
                mounts += ["--perms", "0755", "--dir", str(parent)]
            mounts += ["--ro-bind", library, library]
        informed, inform = os.pipe()
        command = box.get("command", ["waypost"]) + box.get("args", [])
        self.log = open(f"{work}/{pod.name}.{box['name']}.log", "w+b")
        self.process = subprocess.Popen(
            ["ip", "netns", "exec", pod.name, "bwrap", "--info-fd", str(inform), "--as-pid-1", "--unshare-pid", "--unshare-ipc",
             "--unshare-uts", "--hostname", pod.name, "--clearenv", *(word for pair in self.environment.items() for word in ("--setenv", *pair)),
             "--ro-bind", "/usr", "/usr", "--symlink", "usr/bin", "/bin", "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64",
             "--ro-bind", "/etc/ssl", "/etc/ssl", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/usr/local/bin",
             "--ro-bind", options.program, "/usr/local/bin/waypost", "--remount-ro", "/usr/local/bin", *mounts,
             "--remount-ro", "/", *self.restricted, *command],
            pass_fds=[inform], stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT)
        os.close(inform)
        with open(informed) as information:
            self.pid = json.load(information)["child-pid"]

    def text(self):
        self.log.seek(0)
        return self.log.read().decode(errors="replace")

    def end(self, limit=60):
        """The exit code."""
        try:
            return self.process.wait(limit)
        except subprocess.TimeoutExpired:
            fail(f"{self.pod.name}/{self.box['name']} runs after {limit} s:\n{self.text()[-3000:]}")

    def execute(self, *command, **more):
        """What 'kubectl exec' does, and a preStop."""
        variables = [f"{name}={value}" for name, value in self.environment.items()]
        return run("nsenter", "--target", str(self.pid), "--mount", "--uts", "--ipc", "--net", "--pid", "--", *self.restricted,
                   "env", "-i", *variables, *command, **more)

    def probe(self, kind):
        """True if the probe succeeds now."""
        get = self.box[f"{kind}Probe"]["httpGet"]
        port = next(port["containerPort"] for port in self.box["ports"] if port["name"] == get["port"])
        url = f"{get.get('scheme', 'HTTP').lower()}://{self.pod.address}:{port}{get['path']}"
        try:
            with urllib.request.urlopen(url, timeout=self.box[f"{kind}Probe"].get("timeoutSeconds", 1), context=UNCHECKED) as reply:
                return reply.status < 400
        except (urllib.error.URLError, OSError):
            return False


class Pod:
    # Two threads make pods.
    numbers = itertools.count(2)

    def __init__(self, deployment, files, objects=None):
        self.objects, self.deployment = objects or the_objects, deployment
        [(_, template, self.owner)] = [found for found in self.objects.templates() if found[0] == deployment]
        self.spec = template["spec"]
        number = next(Pod.numbers)
        self.name, self.address = f"{deployment}-{number}", f"10.77.0.{number}"
        run("ip", "netns", "add", self.name)
        run("ip", "link", "add", f"veth{number}", "type", "veth", "peer", "name", "eth0", "netns", self.name)
        run("ip", "link", "set", f"veth{number}", "master", "node", "up")
        run("ip", "-n", self.name, "addr", "add", f"{self.address}/24", "dev", "eth0")
        for device in ("lo", "eth0"):
            run("ip", "-n", self.name, "link", "set", device, "up")
        self.volumes = {}
        for volume in self.spec["volumes"]:
            if secret := volume.get("secret"):
                made = self.volumes[volume["name"]] = Volume(f"{work}/{self.name}.{volume['name']}", self.spec["securityContext"]["fsGroup"], secret["defaultMode"])
                made.write(files[secret["secretName"]])
        pods.append(self)
        self.main = None
        self.waiting = [Container(self, box) for box in self.spec.get("initContainers", [])]

    def start(self):
        """Starts the container after the init containers, and waits until the probes succeed."""
        for number, box in enumerate(self.spec.get("initContainers", [])):
            end = time.monotonic() + 120
            while self.waiting[number].end() != 0:
                expect(time.monotonic() < end, f"{self.name}: {self.waiting[number].text()}")
                time.sleep(0.5)  # The kubelet waits for 10 s, 20 s, 40 s, …
                self.waiting[number] = Container(self, box)
        [box] = self.spec["containers"]
        self.main = Container(self, box)
        if "startupProbe" in box:
            self.until("startup")
            self.until("readiness")
        return self

    def until(self, kind):
        probe = self.main.box[f"{kind}Probe"]
        # The debug program on a busy machine may need longer than the objects grant.
        for _ in range(10 * probe["failureThreshold"]):
            if self.main.probe(kind):
                return
            if self.main.process.poll() is not None:
                break
            time.sleep(probe["periodSeconds"] / 5)
        fail(f"{self.name}: the {kind} probe fails:\n{self.main.text()[-3000:]}")

    def delete(self):
        """Deletes the pod as the kubelet does. Returns the seconds until its end, with the preStop."""
        began = time.monotonic()
        if hook := self.main.box.get("lifecycle", {}).get("preStop"):
            time.sleep(hook["sleep"]["seconds"])
            self.until("readiness")
        os.kill(self.main.pid, signal.SIGTERM)
        code = self.main.end(self.spec["terminationGracePeriodSeconds"])
        expect(code == 0, f"{self.name} ended with {code}:\n{self.main.text()[-3000:]}")
        pods.remove(self)
        return time.monotonic() - began


def fail(text):
    sys.exit(f"pods: {text}")


def expect(holds, text):
    if not holds:
        fail(text)


def query(sql):
    return run("psql", "-XAtc", sql, os.environ["DATABASE_URL"]).strip()


def until(what, holds, limit=120):
    end = time.monotonic() + limit
    while not holds():
        expect(time.monotonic() < end, f"not within {limit} s: {what}")
        time.sleep(0.2)


def contacts():
    """Houses, so that each costs a call."""
    return "name,street,city,country\n" + "".join(f"Friend {n},Ringstrasse {n},Wien,Austria\n" for n in range(1, ADDRESSES + 1))


def certificate(name):
    path = f"{work}/{name}"
    run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", f"/CN={name}",
        "-addext", "subjectAltName=DNS:waypost.waypost.svc", "-keyout", f"{path}.key", "-out", f"{path}.crt")
    texts = {suffix: open(f"{path}.{suffix}").read() for suffix in ("key", "crt")}
    return {"tls.key": texts["key"], "tls.crt": texts["crt"], "ca.crt": texts["crt"]}


def main():
    run("ip", "link", "set", "lo", "up")
    query(f"CREATE ROLE waypost LOGIN CREATEROLE PASSWORD '{PASSWORD.replace(chr(39), chr(39) * 2)}'")
    query("ALTER DATABASE waypost OWNER TO waypost")
    quoted = urllib.request.quote(PASSWORD, safe="")
    files = {"waypost": {"DATABASE_URL": f"postgresql://waypost:{quoted}@{NODE}/waypost\n"}, "waypost-tls": certificate("first")}
    recorder = subprocess.Popen([sys.executable, f"{here}/recorder", "--listen", NODE, "--port", "8088", "--limit", "20/s", "--latency", "0.3"],
                                stdout=subprocess.PIPE, text=True)
    recorder.stdout.readline()

    # Docker's and Kubernetes' variables for a Service named waypost.
    early = Pod("waypost-worker", files)
    [box] = early.spec["containers"]
    refused = Container(early, box, {"WAYPOST_SERVICE_HOST": "10.96.0.7"})
    expect(refused.end() == 2 and "WAYPOST_SERVICE_HOST is not a setting" in refused.text(), "service links are not refused")

    coordinators = [Pod("waypost-coordinator", files) for _ in range(2)]
    workers = [early, Pod("waypost-worker", files)]
    for pod in workers + coordinators:
        check = pod.waiting[0]
        expect(check.end() == 1 and "run: waypost migrate" in check.text(), f"{pod.name} does not wait:\n{check.text()}")
    say(f"four pods wait: {check.text().splitlines()[0][:50]} …")
    job = Pod("waypost-migrate", files).start()
    expect(job.main.end() == 0, f"migrate failed:\n{job.main.text()}")
    for pod in coordinators + workers:
        pod.start()
    say("the migration ended, and two coordinators and two workers are ready")
    listed = run("ps", "-o", "user:12=,args=", "-p", str(workers[0].main.pid))
    expect(listed.split()[0] == "10001", f"runs as another user: {listed}")

    def execute(*command, **more):
        return coordinators[0].main.execute("waypost", *command, **more)
    execute("lanes", "limit", "nominatim", "20/s")
    execute("chains", "set", "default", "gazetteer:stop=rooftop", "nominatim")
    execute("import", "-", "--from", "csv", "--feed", "test", input=contacts())
    say(f"{ADDRESSES} houses imported, at 20 calls a second")

    def answered():
        return int(query("SELECT count(*) FROM geocodes WHERE status <> 'waiting'"))
    until("the first answers", lambda: answered() > 20)
    # An upgrade as Deployments do it: a pod is deleted when its replacement is ready. The deletions overlap.
    with concurrent.futures.ThreadPoolExecutor() as deletions:
        tls = deletions.submit(try_tls, files)
        ends = []
        for group in (workers, coordinators):
            for old in list(group):
                group.append(Pod(old.deployment, files).start())
                group.remove(old)
                ends.append((old.name, deletions.submit(old.delete)))
        times = ", ".join(f"{name} {end.result():.1f} s" for name, end in ends)
    say(f"all four pods replaced during {answered()} answers; their ends took: {times}")
    until("all answers", lambda: answered() == ADDRESSES)
    recorder.terminate()
    report = json.loads(recorder.communicate()[0])
    say(f"the provider's record: {report}")
    # A call slips if its process is stopped just before it is sent. It adds at most one call to a window, and is counted.
    slipped = int(query("SELECT coalesce(sum(slipped), 0) FROM throughput"))
    expect(max(report["worst_excess_calls"].values()) <= slipped, f"over the limit, with {slipped} slipped calls: {report}")
    expect(report["repeated_calls"] == 0 and report["answered_queries"] == ADDRESSES, f"calls were lost or repeated: {report}")

    tls.result()
    with concurrent.futures.ThreadPoolExecutor() as deletions:
        list(deletions.map(Pod.delete, coordinators + workers))
    expect(query("SELECT (SELECT count(*) FROM workers) + (SELECT count(*) FROM coordinators)") == "0", "a process left its row")
    say("all pods ended")


def try_tls(files):
    """The overlay with a certificate: probes over HTTPS, and a renewed certificate without a restart."""
    with open(f"{options.objects}/tls.yaml") as stream:
        objects = Objects(yaml.safe_load_all(stream))
    pod = Pod("waypost-coordinator", files, objects).start()

    def served():
        text = run("openssl", "s_client", "-connect", f"{pod.address}:8080", input="")
        return text[text.index("subject="):].splitlines()[0]
    expect(served().endswith("first"), f"serves {served()}")
    pod.volumes["tls"].write(certificate("second"))
    until("the renewed certificate is served", lambda: served().endswith("second"))
    expect("may read the TLS key" not in pod.main.text(), "others may read the key")
    pod.delete()
    say("HTTPS: probes succeed, and a renewed certificate was served without a restart")


UNCHECKED = ssl._create_unverified_context()  # as the kubelet's probes
parser = argparse.ArgumentParser()
parser.add_argument("objects")
parser.add_argument("program")
parser.add_argument("--bind", action="append", default=[])
options = parser.parse_args()
here = os.path.dirname(os.path.abspath(__file__))
began, pods, work = time.monotonic(), [], f"{options.objects}/pods"
os.mkdir(work, 0o755)
with open(f"{options.objects}/plain.yaml") as objects_file:
    the_objects = Objects(yaml.safe_load_all(objects_file))
try:
    main()
finally:
    for left in pods:
        for one in left.waiting + [left.main]:
            if one and one.process.poll() is None:
                os.kill(one.pid, signal.SIGKILL)

"""Three nodes, each with PostgreSQL, Patroni and etcd, on one machine, and the faults of a node.

With the right to make network namespaces each node is a host of its own on a bridge, which can be cut off without a
word. Without it the nodes are addresses of the loopback interface, and a cut is left out.
"""

import glob
import json
import os
import shutil
import signal
import subprocess
import threading
import time
import urllib.request

import psycopg2
from harness import AS_POSTGRES, BIN, ends_with_parent, expect, run, wait_until


def call(method, url, body=None, timeout=3):
    """The status and the body of a reply, also of a refusal."""
    try:
        with urllib.request.urlopen(urllib.request.Request(url, body, method=method), timeout=timeout) as reply:
            return reply.status, reply.read()
    except urllib.error.HTTPError as refusal:
        return refusal.code, refusal.read()


def send(process, number):
    try:
        os.kill(process, number)
    except ProcessLookupError:
        pass


class Node:
    def __init__(self, cluster, number):
        self.cluster, self.name = cluster, f"node{number}"
        self.address = f"10.91.0.{number}" if cluster.is_apart else f"127.0.91.{number}"
        self.prefix = ["ip", "netns", "exec", self.name] if cluster.is_apart else []
        self.folder = f"{cluster.folder}/{self.name}"
        os.mkdir(self.folder, 0o700)
        if AS_POSTGRES:
            shutil.chown(self.folder, "postgres", "postgres")
        self.etcd = self.patroni = None
        # When the node was last seen to become the primary, and to store the first call after that.
        self.promoted_at = self.stored_at = None

    def start(self, command, log):
        environment = {"PATH": f"{BIN}:/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL": "C.UTF-8", "STORY": os.environ["STORY"]}
        with open(f"{self.folder}/{log}", "ab") as file:
            return subprocess.Popen(
                self.prefix + AS_POSTGRES + command, stdin=subprocess.DEVNULL, stdout=file, stderr=file, cwd="/", env=environment)

    def start_etcd(self, state="new"):
        peers = ",".join(f"{node.name}=http://{node.address}:2380" for node in self.cluster.nodes)
        self.etcd = self.start(
            [
                "etcd", "--name", self.name, "--data-dir", f"{self.folder}/etcd", "--unsafe-no-fsync",
                "--enable-v2",
                "--listen-client-urls", f"http://{self.address}:2379",
                "--advertise-client-urls", f"http://{self.address}:2379",
                "--listen-peer-urls", f"http://{self.address}:2380",
                "--initial-advertise-peer-urls", f"http://{self.address}:2380",
                "--initial-cluster", peers, "--initial-cluster-state", state, "--initial-cluster-token", "waypost",
            ], "etcd.log")

    def start_patroni(self):
        settings = {
            "scope": "waypost", "name": self.name,
            "restapi": {"listen": f"{self.address}:8008", "connect_address": f"{self.address}:8008"},
            # Patroni 3.0.2 writes the leader key through version 3 without comparing it: see docs/operations/running.md.
            "etcd": {"hosts": [f"{node.address}:2379" for node in self.cluster.nodes]},
            "bootstrap": {
                "dcs": self.cluster.settings,
                "initdb": [{"encoding": "UTF8"}, {"locale": "C.UTF-8"}, "no-sync", {"auth": "trust"}],
            },
            "postgresql": {
                "listen": f"{self.address}:5432", "connect_address": f"{self.address}:5432",
                "data_dir": f"{self.folder}/data", "bin_dir": BIN, "pgpass": f"{self.folder}/pgpass",
                "authentication": {
                    "superuser": {"username": "postgres"}, "replication": {"username": "postgres"},
                },
                "parameters": {"unix_socket_directories": self.folder}, "basebackup": ["no-sync", {"checkpoint": "fast"}],
                "pg_hba": ["local all all trust", "host all all 0.0.0.0/0 trust", "host replication all 0.0.0.0/0 trust"],
            },
        }
        path = f"{self.folder}/patroni.json"
        with open(path, "w") as file:
            json.dump(settings, file)
        os.chmod(path, 0o644)
        self.patroni = self.start(["patroni", path], "patroni.log")

    def processes(self, with_etcd):
        """The server and Patroni; both are the node's only processes besides etcd."""
        found = [self.patroni.pid] if self.patroni else []
        try:
            with open(f"{self.folder}/data/postmaster.pid") as file:
                postmaster = int(file.readline())
            found += [postmaster] + children(postmaster)
        except (OSError, ValueError):
            pass
        return found + ([self.etcd.pid] if with_etcd and self.etcd else [])

    def kill(self):
        """As if the host lost its power, except that its etcd stays."""
        for process in self.processes(with_etcd=False):
            send(process, signal.SIGKILL)
        self.patroni.wait()
        self.patroni = None

    def kill_etcd(self):
        self.etcd.kill()
        self.etcd.wait()
        self.etcd = None

    def connect(self):
        return psycopg2.connect(
            host=self.address, user="postgres", dbname="waypost", connect_timeout=2, tcp_user_timeout=2000,
            keepalives_idle=1, keepalives_interval=1, keepalives_count=2)

    def can_connect(self):
        try:
            self.connect().close()
            return True
        except psycopg2.Error:
            return False

    def watch(self):
        """Notes from when on the node is the primary and stores calls. Never returns."""
        connection, was_primary, first = None, False, None
        while True:
            try:
                if connection is None:
                    connection = self.connect()
                    connection.autocommit = True
                with connection.cursor() as cursor:
                    cursor.execute("SELECT NOT pg_is_in_recovery()")
                    is_primary = cursor.fetchone()[0]
                    if is_primary and not was_primary:
                        self.stored_at, first, self.promoted_at = None, None, time.time()
                    was_primary = is_primary
                    if is_primary and self.cluster.is_migrated:
                        cursor.execute("SELECT count(*) FROM calls")
                        count = cursor.fetchone()[0]
                        first = count if first is None else first
                        if count > first and self.stored_at is None:
                            self.stored_at = time.time()
            except psycopg2.Error:
                connection, was_primary = None, False
                time.sleep(0.08)
            time.sleep(0.02)


def children(parent):
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat") as file:
                    fields = file.read().rpartition(")")[2].split()
                if int(fields[1]) == parent:
                    found.append(int(name))
            except OSError:
                pass
    return found


class Cluster:
    def __init__(self, folder, is_apart, ttl, loop_wait, retry_timeout):
        self.folder, self.is_apart, self.is_migrated = folder, is_apart, False
        self.settings = {
            "ttl": ttl, "loop_wait": loop_wait, "retry_timeout": retry_timeout, "synchronous_mode": True,
            "maximum_lag_on_failover": 1048576, "failsafe_mode": False,
            "postgresql": {
                "use_pg_rewind": True, "use_slots": True,
                "parameters": {
                    "max_connections": 100, "shared_buffers": "32MB", "wal_keep_size": "128MB", "wal_log_hints": "on",
                    "wal_sender_timeout": "5s", "wal_receiver_timeout": "5s", "wal_retrieve_retry_interval": "500ms",
                    "tcp_keepalives_idle": 3, "tcp_keepalives_interval": 1, "tcp_keepalives_count": 3,
                    "tcp_user_timeout": "5s", "max_wal_senders": 10, "max_replication_slots": 10,
                },
            },
        }
        self.nodes = []
        self.nodes = [Node(self, number) for number in (1, 2, 3)]

    def start(self):
        if self.is_apart:
            self.make_network()
        for node in self.nodes:
            node.start_etcd()
        for node in self.nodes:
            node.start_patroni()
        wait_until("a primary with a synchronous standby", self.is_well, 120)
        primary = self.primary()
        connection = psycopg2.connect(host=primary.address, user="postgres", dbname="postgres")
        connection.autocommit = True
        with connection.cursor() as cursor:
            cursor.execute("CREATE ROLE waypost LOGIN")
            cursor.execute("CREATE DATABASE waypost OWNER waypost")
        connection.close()
        wait_until("each node has the database", lambda: all(node.can_connect() for node in self.nodes))
        for node in self.nodes:
            threading.Thread(target=node.watch, daemon=True).start()

    def make_network(self):
        os.makedirs("/run/netns", exist_ok=True)
        run("mount", "-t", "tmpfs", "none", "/run/netns")
        run("ip", "link", "set", "lo", "up")
        run("ip", "link", "add", "br0", "type", "bridge")
        run("ip", "addr", "add", "10.91.0.100/24", "dev", "br0")
        run("ip", "link", "set", "br0", "address", "02:00:00:00:00:64", "up")
        hosts = {"10.91.0.100": "02:00:00:00:00:64"}
        hosts |= {node.address: f"02:00:00:00:00:0{number}" for number, node in enumerate(self.nodes, 1)}
        for node in self.nodes:
            inside = ["ip", "-n", node.name]
            run("ip", "netns", "add", node.name)
            run("ip", "link", "add", node.name, "type", "veth", "peer", "name", "eth0", "netns", node.name)
            run("ip", "link", "set", node.name, "master", "br0", "up")
            run(*inside, "link", "set", "eth0", "address", hosts[node.address], "up")
            run(*inside, "link", "set", "lo", "up")
            run(*inside, "addr", "add", f"{node.address}/24", "dev", "eth0")
        # Fixed neighbours: otherwise the kernel notices a cut, and refuses connections soon.
        for node in self.nodes + [None]:
            inside, device = (["ip", "-n", node.name], "eth0") if node else (["ip"], "br0")
            for address, place in hosts.items():
                if address != (node.address if node else "10.91.0.100"):
                    run(*inside, "neigh", "replace", address, "lladdr", place, "dev", device, "nud", "permanent")

    def cut(self, node):
        """Drops everything from and to the node."""
        run("ip", "link", "set", node.name, "nomaster")

    def join(self, node):
        run("ip", "link", "set", node.name, "master", "br0")

    def cut_from_peers(self, node, is_cut):
        """Drops everything between the node and the other nodes. Clients still reach it."""
        for other in self.nodes:
            if other is not node:
                run("ip", "-n", node.name, "route", "add" if is_cut else "del", "blackhole", f"{other.address}/32")

    # MARK: State

    def members(self, timeout=1):
        for node in self.nodes:
            try:
                status, body = call("GET", f"http://{node.address}:8008/cluster", timeout=timeout)
                if status == 200:
                    return json.loads(body)["members"]
            except (OSError, ValueError):
                pass
        return []

    def primary(self):
        for node in self.nodes:
            try:
                if call("GET", f"http://{node.address}:8008/primary", timeout=1)[0] == 200:
                    return node
            except OSError:
                pass
        return None

    def wait_until_well(self, seconds=120):
        """Waits until all is well for some seconds. A node that comes back may be rewound and started again."""
        well_since = None
        end = time.time() + seconds
        while time.time() < end:
            well_since = (well_since or time.time()) if self.is_well() else None
            if well_since and time.time() > well_since + 2 * self.settings["loop_wait"]:
                return
            time.sleep(0.1)
        expect(False, f"the cluster is not whole again after {seconds} s")

    def is_well(self):
        """All nodes run, and one is a synchronous standby."""
        members = self.members()
        states = [(member["role"], member["state"]) for member in members]
        return (
            len(states) == 3 and all(state in ("running", "streaming") for _, state in states)
            and sorted(role for role, _ in states) == ["leader", "replica", "sync_standby"])

    def change(self, **settings):
        status, body = call(
            "PATCH", f"http://{self.primary().address}:8008/config", json.dumps(settings).encode(), timeout=5)
        expect(status == 200, f"Patroni refuses the settings: {body}")

    def switch_over(self):
        primary = self.primary()
        candidate = next(member["name"] for member in self.members() if member["role"] == "sync_standby")
        body = json.dumps({"leader": primary.name, "candidate": candidate}).encode()
        status, reply = call("POST", f"http://{primary.address}:8008/switchover", body, timeout=60)
        expect(status == 200, f"no switchover: {reply}")

    def start_haproxy(self):
        lines = [
            "defaults", "  mode tcp", "  timeout connect 2s", "  timeout client 24h", "  timeout server 24h", "  timeout check 2s",
            "listen primary", "  bind 127.0.0.1:5000", "  option httpchk OPTIONS /primary", "  http-check expect status 200",
            "  default-server inter 500ms fall 3 rise 1 on-marked-down shutdown-sessions",
        ] + [f"  server {node.name} {node.address}:5432 maxconn 200 check port 8008" for node in self.nodes]
        path = f"{self.folder}/haproxy.cfg"
        with open(path, "w") as file:
            file.write("\n".join(lines) + "\n")
        with open(f"{self.folder}/haproxy.log", "ab") as log:
            return subprocess.Popen(
                ["/usr/sbin/haproxy", "-db", "-f", path], stdout=log, stderr=log, preexec_fn=ends_with_parent,
                env={"STORY": os.environ["STORY"]})

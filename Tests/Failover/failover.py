#!/usr/bin/python3 -B
"""Lets a Patroni cluster fail over in many ways while Waypost uses it, and prints a table.

    Tests/Failover/failover.py PROGRAMS [--haproxy] [--workers N] [--scenario WORD]... [--keep FOLDER]
    Tests/Failover/failover.py PROGRAMS --short

PROGRAMS is a folder with waypost and Chaos, such as .build/release. --short does one kill -9 and one switchover within a
minute. The exit code is 1 if a promise was broken: work goes on soon after a promotion, nothing acknowledged is lost, no
answer in hand is lost or repeated, and no window at the provider is over its limit.
"""

import argparse
import json
import math
import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, f"{os.path.dirname(os.path.abspath(__file__))}/../../.ci")
from cluster import Cluster, send  # noqa: E402
from harness import LANE, Failure, Trial as Waypost, expect, say, story, wait_until  # noqa: E402

# In seconds, from the moment at which a node accepts writes.
LONGEST_RETURN = 3.0
RATE, BURST = 20, 5
# The provider's replies take this long, so about 20 answers are in hand at any time.
DELAY = 1.0


class Crew(Waypost):
    """Real processes of Waypost on the cluster, and clients that remember what was acknowledged."""

    def __init__(self, folder, programs, url, workers):
        super().__init__(folder, url, f"{RATE}/s:burst={BURST}", program=f"{programs}/waypost")
        self.chaos, self.workers = f"{programs}/Chaos", workers

    def live(self):
        for name in ("coordinator-1", "coordinator-2"):
            self.start_coordinator(name)
        for number in range(1, self.workers + 1):
            self.start_worker(f"worker-{number}", WAYPOST_CALLS_AT_ONCE="64")
        self.repeat(0.2, self.put_friend)
        self.repeat(1, self.put_some, "feed", 10)

    def put_some(self, feed, count):
        contacts = [self.contact() for _ in range(count)]
        self.put_feed(f"{feed}-{contacts[0]['key']}", contacts)

    def missing(self):
        """Acknowledged friends that the database no longer has."""
        keys, missing = list(self.friends), []
        for start in range(0, len(keys), 1000):
            body = {"keys": [{"feed": feed, "key": key} for feed, key in keys[start:start + 1000]]}
            missing += json.loads(self.request("POST", "/v1/friends/batch", json.dumps(body).encode()))["missing"]["keys"]
        return missing

    def progress(self):
        return json.loads(self.request("GET", "/v1/progress"))

    def judge_calls(self, since, until):
        """The calls of a time, also beside the log of calls."""
        done = subprocess.run([self.chaos, "judge", self.url, f"{self.folder}/calls", LANE, str(since), str(until)], capture_output=True,
                              text=True, env=self.environment())
        expect(done.stdout, f"no judgement: {done.stderr}")
        return json.loads(done.stdout) | {"story": done.stderr}


class Trial:
    def __init__(self, options, folder, is_apart):
        short = options.short
        self.cluster = Cluster(
            folder, is_apart, ttl=6 if short else 20, loop_wait=1 if short else 2,
            retry_timeout=2 if short else 5)
        # The short form runs in CI, also on slow machines, so it does not judge times.
        self.longest_return = math.inf if short else LONGEST_RETURN
        self.options, self.is_broken = options, False

    def scenarios(self):
        cluster = self.cluster
        if self.options.short:
            return [("kill -9 of the primary", self.kill), ("switchover", cluster.switch_over)]
        all = [("kill -9 of the primary", self.kill), ("crash of its PostgreSQL", self.crash)]
        all += [(f"switchover {number}", cluster.switch_over) for number in range(1, 6)]
        if cluster.is_apart:
            all += [("primary cut off", self.cut), ("primary cut off from its peers", self.cut_from_peers)]
        all += [
            ("primary's processes stopped", self.freeze),
            ("one etcd lost", self.lose_one_etcd), ("all etcd lost for 20 s", self.lose_etcd),
            ("all etcd lost, failsafe_mode", self.lose_etcd_safely),
        ]
        wanted = self.options.scenario
        return [one for one in all if not wanted or any(word in one[0] for word in wanted)]

    # MARK: Faults. Each returns the end of the fault, or None.

    def kill(self):
        node = self.cluster.primary()
        node.kill()
        return node.start_patroni

    def crash(self):
        send(self.cluster.primary().processes(with_etcd=False)[1], signal.SIGKILL)

    def freeze(self):
        stopped = self.cluster.primary().processes(with_etcd=True)
        for process in stopped:
            send(process, signal.SIGSTOP)

        def go_on():
            for process in reversed(stopped):
                send(process, signal.SIGCONT)
        return go_on

    def cut(self):
        node = self.cluster.primary()
        self.cluster.cut(node)
        return lambda: self.cluster.join(node)

    def cut_from_peers(self):
        node = self.cluster.primary()
        self.cluster.cut_from_peers(node, True)
        return lambda: self.cluster.cut_from_peers(node, False)

    def lose_one_etcd(self):
        node = self.cluster.primary()
        node.kill_etcd()
        time.sleep(10)
        return node.start_etcd

    def lose_etcd(self, seconds=20):
        for node in self.cluster.nodes:
            node.kill_etcd()
        time.sleep(seconds)
        for node in self.cluster.nodes:
            node.start_etcd()

    def lose_etcd_safely(self):
        self.cluster.change(failsafe_mode=True)
        # Patroni writes the list of its members with its next looks.
        time.sleep(3 * self.cluster.settings["loop_wait"])
        self.lose_etcd()

    # MARK: The run

    def run(self):
        self.cluster.start()
        hosts = ",".join(node.address for node in self.cluster.nodes)
        direct = f"postgresql://waypost@{hosts}/waypost?target_session_attrs=read-write"
        if self.options.haproxy:
            self.cluster.start_haproxy()
            self.run_with("HAProxy", "postgresql://waypost@127.0.0.1:5000/waypost")
        else:
            self.run_with("hosts", direct)
        return not self.is_broken

    def run_with(self, way, url):
        folder = f"{self.cluster.folder}/{way}"
        os.mkdir(folder)
        crew = Crew(folder, self.options.programs, url, self.options.workers)
        crew.start_recorder(latency=str(DELAY))
        crew.prepare()
        self.cluster.is_migrated = True
        began = time.time()
        crew.live()
        say(f"{way}: {'each node is a host' if self.cluster.is_apart else 'the nodes are addresses of this host'}")
        say(f"  {'':34} {'promoted':>9} {'call':>6} {'answer':>6} {'API':>6} {'gap':>6} {'in hand':>7} "
            f"{'lost':>5} {'again':>5} {'window':>7}")
        for name, fault in self.scenarios():
            self.disturb(crew, name, fault)
        crew.stop_clients()
        wait_until("all addresses have answers", lambda: crew.progress()["done"], 180, pause=0.5)
        self.judge_all(crew, began)
        crew.judge()

    def disturb(self, crew, name, fault):
        crew.put_some("before", 100)
        began = time.time()
        wait_until("answers are in hand", lambda: in_hand(crew.calls(), time.time()) > RATE * DELAY / 2)
        time.sleep(2)
        fault_at = time.time()
        heal = fault()
        promises_promotion = "etcd" not in name or name.startswith("all etcd lost for")
        promoted = self.wait_for_promotion(fault_at) if promises_promotion else None
        firsts = self.wait_for_work(crew, promoted) if promoted else {}
        time.sleep(3)
        if heal:
            heal()
        self.cluster.wait_until_well()
        if "failsafe" in name:
            self.cluster.change(failsafe_mode=False)
        until = time.time()
        time.sleep(DELAY + 1)
        calls = crew.calls()
        times = [fault_at] + [at for at, _ in calls if fault_at < at < until] + [until]
        gap = max(later - earlier for earlier, later in zip(times, times[1:]))
        verdict = crew.judge_calls(began, until)
        answered = len({question for at, question in calls if at < until})
        lost = len(crew.missing()) + max(0, answered - crew.progress()["by_status"]["located"])
        faults = [f"{what} {late(at)}" for what, at in firsts.items()
                  if (math.inf if at is None else at) > self.longest_return]
        if not promoted and gap > self.longest_return:
            faults.append("WORK STOPPED")
        if lost:
            faults.append(f"{lost} LOST")
        if ended := crew.ended():
            faults.append(f"ENDED: {', '.join(ended)}")
        row = [f"{at:.2f}" if at is not None else "-" for at in (firsts.get(key) for key in ("call", "answer", "API"))]
        say(f"  {name:34} {f'{promoted - fault_at:.2f}' if promoted else '-':>9} {row[0]:>6} {row[1]:>6} {row[2]:>6} "
            f"{gap:6.2f} {in_hand(calls, fault_at):7} {lost:5} {verdict['repeated']:5} {verdict['worst']:7.2f}"
            f"{' <- ' + ', '.join(faults) if faults else ''}")
        if verdict["story"]:
            say(verdict["story"])
        if faults or verdict["story"]:
            self.is_broken = True

    def wait_for_promotion(self, fault_at):
        def promoted():
            return [node.promoted_at for node in self.cluster.nodes if (node.promoted_at or 0) > fault_at]
        wait_until("a node becomes the primary", promoted, 120, pause=0.02)
        return max(promoted())

    def wait_for_work(self, crew, promoted):
        """The seconds from the promotion to the first call, stored answer and acknowledged request."""
        primary = max(self.cluster.nodes, key=lambda node: node.promoted_at or 0)
        firsts = {"call": None, "answer": None, "API": None}
        while time.time() < promoted + 20 and None in firsts.values():
            if firsts["answer"] is None and primary.stored_at:
                firsts["answer"] = primary.stored_at - promoted
            if firsts["API"] is None and (at := next((at for at in crew.times if at > promoted), None)):
                firsts["API"] = at - promoted
            if firsts["call"] is None:
                firsts["call"] = next((at - promoted for at, _ in crew.calls() if at > promoted + 0.01), None)
            time.sleep(0.02)
        return firsts

    def judge_all(self, crew, began):
        verdict = crew.judge_calls(began, time.time())
        answered = len({question for _, question in crew.calls()})
        located, missing = crew.progress()["by_status"]["located"], crew.missing()
        say(f"  {len(crew.friends)} friends acknowledged, {len(missing)} lost; {verdict['calls']} calls, "
            f"{answered} answers, {located} stored, {verdict['repeated']} calls repeated, {verdict['slipped']} slipped")
        if missing or located < answered or located < len(crew.friends):
            self.is_broken = True
            say("  ACKNOWLEDGED DATA IS LOST")
        if verdict["story"]:
            self.is_broken = True
            say(verdict["story"])


def in_hand(calls, moment):
    return sum(1 for at, _ in calls if moment - DELAY < at <= moment)


def late(seconds):
    return "NEVER" if seconds is None else "LATE"


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("programs", type=os.path.realpath)
parser.add_argument("--short", action="store_true")
parser.add_argument("--haproxy", action="store_true")
parser.add_argument("--workers", type=int, default=4)
parser.add_argument("--scenario", action="append")
parser.add_argument("--keep", metavar="FOLDER", help="keeps logs there")
options = parser.parse_args()


def body(folder):
    if not Trial(options, folder, os.geteuid() == 0).run():
        raise Failure("a promise was broken")
    say("all promises were kept")


story(body, ("mount", "net", "pid"), options.keep)

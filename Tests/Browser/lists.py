"""Tests of the pages of lists: jobs, workers, answers, tokens, traffic and settings. pages.py runs them."""

import json
import subprocess
import urllib.parse

KEYS = {"jobs": "j", "workers": "w", "answers": "a", "tokens": "k", "settings": "s", "gateway": "g"}


class Lists:
    """Opens all lists in one page, signed in with the scope admin."""

    def __init__(self, page, cluster, token, pictures, check, opened, barriers):
        self.page, self.cluster, self.token, self.pictures = page, cluster, token, pictures
        self.check, self.opened, self.barriers = check, opened, barriers
        self.database = (cluster.folder / ".waypost" / "url").read_text(encoding="utf-8").strip()

    def sql(self, statement):
        done = subprocess.run(["psql", "-qtAX", self.database, "-c", statement], capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def read(self, path):
        status, answer = self.cluster.read(path, token=self.token)
        self.check(status == 200, f"{path} answers {status}")
        return answer

    def go(self, name):
        self.page.press("g")
        self.page.press(KEYS[name])
        self.opened(self.page, name)

    def keep(self, name):
        self.page.picture(self.pictures / f"{name}.png")
        found = self.barriers(self.page)
        self.check(found == [], f"{name}: {found}")

    def text(self, selector):
        return self.page.run(f"document.querySelector({json.dumps(selector)})?.textContent")

    def gone(self, selector):
        self.page.wait(f"!document.querySelector({json.dumps(selector)})")

    def walk(self):
        self.jobs()
        self.trouble()
        self.workers()
        self.answers()
        self.tokens()
        self.gateway()
        self.settings()

    def jobs(self):
        page, check = self.page, self.check
        self.sql("UPDATE lanes SET paused_at = now() WHERE name = 'gazetteer'")
        lane = self.sql("SELECT id FROM lanes WHERE name = 'gazetteer'")
        failure = (
            '[{"at": "2026-11-22T15:00:01Z", "worker": 1, "reason": "timeout", "started": "2026-11-22T15:00:00Z", "took": 1.25}]')
        ready, later, cancelled = self.sql(
            "INSERT INTO jobs (lane, subjects, run_at, failures, history) VALUES"
            f" ({lane}, '{{900001}}', now(), 0, NULL), ({lane}, '{{900002,900003}}', now() + interval '1 hour', 1, '{failure}'),"
            f" ({lane}, '{{900004}}', now(), 0, NULL) RETURNING id").split()
        dead = self.sql(
            "INSERT INTO dead_jobs (id, lane, priority, failures, losses, subjects, reason, history)"
            f" SELECT nextval('jobs_id_seq'), {lane}, 1, 1, 0, ARRAY[900004 + n], 'timeout', '{failure}' FROM generate_series(1, 2) AS n"
            " RETURNING id").split()

        page.go(f"{self.cluster.address}/")
        page.wait("document.querySelector('[data-name=done]')?.textContent === 'done in–gazetteer: paused'")
        self.go("jobs")
        page.wait("document.querySelectorAll('[data-job]').length === 5")
        listed = self.read("/v1/jobs")["data"]
        shown = page.run("[...document.querySelectorAll('[data-job]')].map((row) => row.dataset.job)")
        check(shown == [str(job["id"]) for job in listed], f"the jobs are {shown}")
        check("2 ready, 1 later, 0 held and 2 dead" in self.text(".lead"), self.text(".lead"))
        self.keep("jobs")
        page.run("document.querySelector('[name=state]').value = 'dead'; document.querySelector('[name=state]').dispatchEvent(new Event('change', {bubbles: true}))")
        page.wait("document.querySelectorAll('[data-job]').length === 2")
        check(page.run("location.search") == "?state=dead", "the address has the filter")
        page.click("[data-act='discard all']")
        page.wait("document.querySelector('.ask')?.textContent.includes('Discard 2 dead jobs?')")
        page.press("Escape")
        self.gone(".ask")
        check(self.sql("SELECT count(*) FROM dead_jobs") == "2", "who goes back has done nothing")

        self.chosen_and_finished(ready, cancelled, dead[0])
        page.press("/")
        page.run("document.querySelector('[name=state]').value = ''")
        page.type(later)
        page.press("Enter")
        self.opened(page, "jobs")
        page.wait("document.querySelector('h1')?.textContent === " + json.dumps(f"Job {later}"))
        page.wait("!!document.querySelector('[data-name=why]')")
        check(self.text("[data-name=why]") == self.read(f"/v1/jobs/{later}")["why"]["sentence"], "the page says why, as the API does")
        check("timeout" in self.text(".timeline") and "took 1.25 s" in self.text(".timeline"), self.text(".timeline"))
        self.keep("job")
        page.click("[data-act=hurry]")
        page.wait("document.querySelector('.about').textContent.includes('now')")
        check(self.sql(f"SELECT priority FROM jobs WHERE id = {later}") == "3", "the job is hurried in the database")

        page.go(f"{self.cluster.address}/jobs/{cancelled}")
        page.wait("!!document.querySelector('[data-act=cancel]')")
        page.click("[data-act=cancel]")
        page.wait("!!document.querySelector('.ask')?.open")
        self.keep("job-cancel")
        check(self.sql(f"SELECT count(*) FROM jobs WHERE id = {cancelled}") == "1", "nothing is done before it is confirmed")
        page.click("[data-act=go]")
        page.wait("document.querySelector('.empty')?.textContent.includes('is cancelled')")
        check(self.sql(f"SELECT count(*) FROM jobs WHERE id = {cancelled}") == "0", "the job is cancelled in the database")

        page.go(f"{self.cluster.address}/jobs/{dead[0]}")
        page.wait("!!document.querySelector('[data-act=discard]')")
        page.click("[data-act=discard]")
        page.wait("!!document.querySelector('.ask')?.open")
        page.click("[data-act=go]")
        page.wait("document.querySelector('.empty')?.textContent.includes('is discarded')")
        check(self.sql(f"SELECT string_agg(id::text, ',') FROM dead_jobs WHERE id <> {cancelled}") == dead[1], "one dead job is left")

        friend, job = self.sql(
            "SELECT friend, geocodes.id FROM addresses JOIN geocodes USING (hash) ORDER BY friend LIMIT 1").split("|")
        self.sql(f"UPDATE dead_jobs SET subjects = ARRAY[{job}] WHERE id = {dead[1]}")
        page.go(f"{self.cluster.address}/jobs?by=friend&number={friend}")
        page.wait("document.querySelectorAll('[data-job]').length === 1")
        check(page.run("document.querySelector('[data-job]').dataset.job") == dead[1], "a friend's job is found")
        name = self.sql(f"SELECT name FROM friends WHERE id = {friend}")
        page.go(f"{self.cluster.address}/jobs?by=friend&number={urllib.parse.quote(name)}")
        page.wait(f"document.querySelector('[data-job]')?.dataset.job === '{dead[1]}'")
        page.go(f"{self.cluster.address}/jobs?by=question&number=899999")
        page.wait("document.querySelector('.empty')?.textContent === 'No job matches the filter.'")
        self.sql(f"DELETE FROM jobs WHERE id IN ({ready}, {later}); DELETE FROM dead_jobs; UPDATE lanes SET paused_at = NULL")

    def choose_state(self, state):
        self.page.run(f"document.querySelector('[name=state]').value = '{state}'; document.querySelector('[name=state]').dispatchEvent(new Event('change', {{bubbles: true}}))")

    def chosen_and_finished(self, ready, other, dead):
        """Two jobs are selected, cancelled in one act and put back; finished jobs have their own list."""
        page, check = self.page, self.check
        self.choose_state("")
        page.wait("document.querySelectorAll('[data-job]').length === 5")
        for job in [ready, other]:
            page.click(f"[data-act='choose {job}']")
        page.wait("document.getElementById('acts').textContent.startsWith('2 chosen')")
        check(page.run("document.querySelector(\"[data-act='discard chosen']\")") is None, "jobs that wait can't be discarded")
        page.click(f"[data-act='choose {dead}']")
        page.wait("!!document.querySelector(\"[data-act='discard chosen']\")")
        page.click(f"[data-act='choose {dead}']")
        self.keep("jobs-chosen")
        page.click("[data-act='cancel chosen']")
        page.wait("document.querySelector('.ask')?.textContent.includes('Cancel 2 chosen jobs?')")
        check(self.sql("SELECT count(*) FROM jobs") == "3", "nothing is done before it is confirmed")
        page.click("[data-act=go]")
        page.wait("!document.getElementById('acts').textContent")
        check(self.sql(f"SELECT count(*) FROM dead_jobs WHERE id IN ({ready}, {other})") == "2", "they are cancelled in the database")
        self.sql(f"DELETE FROM dead_jobs WHERE id IN ({ready}, {other})")
        self.sql("INSERT INTO jobs (id, lane, subjects) OVERRIDING SYSTEM VALUE SELECT given.id, lanes.id, ARRAY[900001 + place]"
                 f" FROM lanes, unnest(ARRAY[{ready}, {other}]) WITH ORDINALITY AS given (id, place) WHERE name = 'gazetteer'")
        self.choose_state("finished")
        ended = self.read("/v1/jobs/finished")["data"]
        check(len(ended) > 0, "jobs have ended")
        page.wait(f"document.querySelectorAll('[data-job]').length === {len(ended)}")
        check(self.text("[data-job] th") == str(ended[0]["id"]) and "done" in self.text("[data-job] .state"), self.text("[data-job]"))
        self.keep("jobs-finished")

    def trouble(self):
        """When the database fails, a page shows it and continues afterwards."""
        page, check = self.page, self.check
        self.go("jobs")
        page.wait("!!document.querySelector('.empty')")
        self.sql("REVOKE SELECT ON dead_jobs FROM waypost_api")
        page.wait("document.getElementById('trouble')?.textContent.startsWith('Internal error.')")
        self.keep("trouble")
        self.sql("GRANT SELECT ON dead_jobs TO waypost_api")
        page.wait("!document.getElementById('trouble')")
        check(any("500" in problem for problem in page.problems), "the browser saw it too")
        page.problems = [problem for problem in page.problems if "status of 500" not in problem]

    def workers(self):
        page, check = self.page, self.check
        self.go("workers")
        page.wait("!!document.querySelector('[data-worker]')")
        worker = self.read("/v1/workers")["data"][0]
        check(self.text("[data-worker] th a") == worker["name"], "the worker")
        check(worker["host"] in self.text("[data-worker] th") and str(worker["pid"]) in self.text("[data-worker] th"), "its process")
        check("gazetteer" in self.text("[data-worker] .text"), "what it works for")
        self.keep("workers")
        page.click(f"[data-act='quiet {worker['id']}']")
        page.wait("document.querySelector('.ask')?.textContent.includes('No other worker serves gazetteer')")
        self.keep("worker-quiet")
        page.click("[data-act=go]")
        page.wait("document.querySelector('[data-worker] .state').textContent === 'quiet'")
        check(self.sql("SELECT quiet FROM workers") == "t", "the worker is quiet in the database")
        page.click(f"[data-act='resume {worker['id']}']")
        page.wait("document.querySelector('[data-worker] .state').textContent === 'works'")
        check(self.sql("SELECT quiet FROM workers") == "f", "the worker claims again")
        page.click(f"[data-act='open {worker['id']}']")
        page.wait("document.querySelectorAll('[data-span]').length === 3")
        self.opened(page, "workers")
        check(self.text("h1") == f"Worker {worker['name']}", "the page of one worker")
        self.keep("worker")
        page.go(f"{self.cluster.address}/workers/nobody")
        page.wait("document.querySelector('.empty')?.textContent.includes('nobody')")

    def answers(self):
        page, check = self.page, self.check
        self.go("answers")
        page.wait("!!document.querySelector('[data-provider]')")
        for row in self.read("/v1/cache")["data"]:
            selector = f"[data-provider='{row['provider'] or ''}'][data-status={row['status']}] [data-name=answers]"
            check(self.text(selector) == f"{row['answers']:,}", f"{row}: {self.text(selector)}")
        check("without a time limit" in self.text("[data-provider=gazetteer]"), "the rule of the provider")
        kept = self.read("/v1/cache/answers?limit=50")["data"]
        shown = page.run("[...document.querySelectorAll('[data-answer]')].map((row) => Number(row.dataset.answer))")
        check(shown == [answer["id"] for answer in kept], "the answers one by one")
        self.keep("answers")
        page.run("document.querySelector('[name=status]').value = 'not_found'; document.querySelector('[name=status]').dispatchEvent(new Event('change', {bubbles: true}))")
        missing = len(self.read("/v1/cache/answers?status=not_found")["data"])
        page.wait(f"document.querySelectorAll('[data-answer]').length === {missing}")
        # Answers that no address uses.
        self.sql("INSERT INTO geocodes (hash, street, city, region, postcode, country, status, provider, geocoded_at)"
                 " SELECT sha256(('x' || n)::bytea), '', 'x', '', '', '', 'not_found', 'gazetteer', now() FROM generate_series(1, 3) AS n")
        page.click("[data-act=purge]")
        page.wait("!!document.querySelector('.ask')?.open")
        page.click("[data-act=go]")
        page.wait("document.querySelector('.ask .said').textContent.startsWith('3 answers.')")
        self.keep("answers-delete")
        check(self.sql("SELECT count(*) FROM geocodes WHERE city = 'x'") == "3", "counting deletes nothing")
        page.click("[data-act=go]")
        self.gone(".ask")
        check(self.sql("SELECT count(*) FROM geocodes WHERE city = 'x'") == "0", "they are deleted in the database")

    def tokens(self):
        page, check = self.page, self.check
        self.go("tokens")
        page.wait("!!document.querySelector('[data-token]')")
        tokens = self.read("/v1/tokens")["data"]
        check(page.run("[...document.querySelectorAll('[data-token]')].map((row) => row.dataset.name)") == [token["name"] for token in tokens], "the tokens")
        page.click("[data-act=create]")
        page.wait("!!document.querySelector('.ask')?.open")
        offered = page.run("[...document.querySelectorAll('[name=scope]')].map((box) => box.value)")
        check(offered == ["read", "admin"], f"only what one has is offered: {offered}")
        page.click(".ask [name=name]")
        page.type("<b>map</b>")
        self.keep("token-new")
        page.press("Enter")
        page.wait("document.getElementById('made')?.value.startsWith('wp_')")
        made = page.run("document.getElementById('made').value")
        check(self.cluster.read("/v1/progress", token=made)[0] == 200, "the token is good")
        check(self.cluster.read("/v1/lanes", token=made)[0] == 403, "and for no more than was chosen")
        page.run("document.getElementById('made').value = 'wp_7_' + 'x'.repeat(43)")
        self.keep("token-made")
        page.press("Enter")
        page.wait("!!document.querySelector(\"[data-name='<b>map</b>']\")")
        check(made not in page.run("document.documentElement.outerHTML"), "no trace of it stays")
        self.keep("tokens")
        number = made.split("_")[1]
        page.click(f"[data-act='revoke {number}']")
        page.wait("!!document.querySelector('.ask')?.open")
        check(self.sql(f"SELECT revoked_at IS NULL FROM tokens WHERE id = {number}") == "t", "nothing is done before it is confirmed")
        page.click("[data-act=go]")
        page.wait(f"document.querySelector('[data-token=\"{number}\"] .state').textContent === 'revoked'")
        check(self.sql(f"SELECT revoked_at IS NULL FROM tokens WHERE id = {number}") == "f", "it is revoked in the database")

    def gateway(self):
        page, check = self.page, self.check
        self.go("gateway")
        page.wait("document.querySelector('.empty')?.textContent.startsWith('No program has asked')")
        token = self.cluster.run("tokens", "create", "<b>photos</b>", "--account", "default", "--scope", "geocode").strip()
        asked = ["photon/api?q=Helsinki&lat=60&lon=25"] * 3 + ["photon/api?q=Xqzwvkj&lat=60&lon=25", "nominatim/search?format=json", "nominatim/status?format=json"]
        answers = [self.cluster.read(f"/t/{token}/{path}")[0] for path in asked]
        check(answers == [200, 200, 200, 200, 400, 200], f"the door answers {answers}")
        page.wait("document.querySelector('[data-token] [data-name=requests]')?.textContent === '5'")
        shown = page.run("Object.fromEntries([...document.querySelectorAll('[data-token] [data-name]')].map((one) => [one.dataset.name, one.firstChild.data]))")
        row = self.read("/v1/gateway")["tokens"][0]
        for name in ["local", "cache", "call", "waiting", "missed", "refused"]:
            wanted = {"local": 3, "missed": 1, "refused": 1}.get(name, 0)
            check(shown[name] == str(row[name]) == self.sql(f"SELECT sum({name}) FROM gateway_minutes") == str(wanted), f"{name}: {shown[name]}")
        check(shown["p99"].endswith(" ms") and self.text("[data-token] th").startswith("<b>photos</b>number"), f"{shown}")
        check("5 requests" in self.text(".past figcaption"), self.text(".past figcaption"))
        self.keep("gateway")
        # Three hours later, the day still has them.
        self.sql("UPDATE gateway_minutes SET minute = minute - interval '3 hours'")
        page.run("(() => { const one = document.querySelector('[data-act=span]'); one.value = '1h'; one.dispatchEvent(new Event('change')); })()")
        page.wait("!!document.querySelector('.empty') && document.querySelector('.past figcaption').textContent === 'There was no request.'")
        page.run("(() => { const one = document.querySelector('[data-act=span]'); one.value = '1d'; one.dispatchEvent(new Event('change')); })()")
        page.wait("document.querySelector('[data-token] [data-name=requests]')?.textContent === '5'")

    def settings(self):
        page, check = self.page, self.check
        self.go("settings")
        page.wait("!!document.querySelector('[data-setting]')")
        now = self.read("/v1/settings")
        check(self.text("[data-name=PostgreSQL]") == now["database"]["version"], "the version of the database")
        check(self.sql("SHOW server_version") == now["database"]["version"], "which is the server's")
        for setting in now["settings"]:
            if not setting["is_secret"] and setting["value"] is not None:
                shown = self.text(f"[data-setting={setting['name']}] [data-name=value]")
                check(shown == setting["value"], f"{setting['name']}: {shown}")
        check("postgresql" not in page.run("document.body.textContent"), "no address of the database")
        check(self.text("[data-provider=gazetteer] .text").startswith("Places and postcodes") or "GeoNames" in self.text("[data-provider=gazetteer]"), "whom to name")
        self.keep("settings")

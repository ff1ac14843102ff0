// The jobs: waiting, held, dead and finished ones, with actions on several of them, and the history of one job.
import { make, number, often, plural, read, send, trouble } from "./app.js";
import { amount, ask, away, button, cell, choice, clock, facts, field, filter, filters, mayAdminister, once, replace, sheet, small, state, table } from "./parts.js";

const kinds = { held: ["good", "held"], ready: ["calm", "ready"], later: ["past", "later"], dead: ["wrong", "dead"] };
const ends = { done: ["good", "done"], moved: ["calm", "passed on"] };
const moments = { held: "call", ready: "due", later: "due", dead: "died" };
const PAGE = 50;

export function show(main, person) {
    const id = location.pathname.split("/")[2];
    return id ? one(main, person, id) : all(main, person);
}

// ---- The list

async function all(main, person) {
    const { lead, body } = sheet(main, "Jobs");
    if (!mayAdminister(person, lead, "the jobs")) { return; }
    let lanes = [];
    await once(async () => { lanes = (await read("/v1/lanes")).data.map((lane) => lane.name); });
    const [list, acts] = [make("div", {}), make("p", { className: "after", id: "acts", role: "group", "aria-label": "Actions on jobs" })];
    // The ids of the selected jobs, each with its state.
    const chosen = new Map();
    let pages = 1;
    const load = async () => {
        if (filter("state") === "finished") { return showFinished(); }
        const [{ data: counted }, found] = await Promise.all([read("/v1/lanes"), search(pages)]);
        const sum = (name) => counted.reduce((sum, lane) => sum + lane[name], 0);
        lead.textContent = `${number(sum("ready"))} ready, ${number(sum("later"))} later, ${number(sum("held"))} held and ${number(sum("dead"))} dead, in ${plural(counted.length, "lane", "lanes")}`;
        for (const id of chosen.keys()) { if (!found.data.some((job) => job.id === id)) { chosen.delete(id); } }
        for (const job of found.data) { if (chosen.has(job.id)) { chosen.set(job.id, job.state); } }
        replace(list, rows(found.data, chosen, () => showActs(found.data)), make("p", { className: "after" }, more(found)));
        showActs(found.data);
    };
    const showFinished = async () => {
        const query = new URLSearchParams({ limit: pages * PAGE, ...filter("lane") && { lane: filter("lane") } });
        const found = await read("/v1/jobs/finished?" + query);
        lead.textContent = "Finished jobs, the latest first";
        replace(list, finishedRows(found.data), make("p", { className: "after" }, more(found)));
        replace(acts);
    };
    const more = (found) => found.next_after && pages * PAGE < 1_000 ? button("more", "Show more", () => { pages += 1; return load(); }) : null;
    const showActs = (jobs) => replace(acts, ...chosen.size ? actsOnChosen(chosen, load) : bulk(jobs, load));
    const changed = () => {
        pages = 1;
        chosen.clear();
        return load().catch((error) => trouble(error.message));
    };
    const form = filters("Filter jobs", changed,
        choice("Lane", "lane", [["", "all"], ...lanes.map((name) => [name, name])], filter("lane")),
        choice("State", "state", [["", "all"], ...[...Object.keys(kinds), "finished"].map((kind) => [kind, kind])], filter("state")),
        choice("Search for", "by", [["", "a job"], ["friend", "a friend"], ["question", "a question"]], filter("by")),
        field("Number, or a friend's name", { id: "search", name: "number", type: "search", value: filter("number"), placeholder: "such as 53" }));
    form.addEventListener("submit", () => {
        if (!filter("by") && filter("number")) { location.assign("/jobs/" + encodeURIComponent(filter("number"))); }
    });
    body.append(form, acts, list);
    return often(load);
}

async function search(pages) {
    const ask = (more = {}) => {
        const query = new URLSearchParams({ limit: pages * PAGE, ...more });
        for (const name of ["lane", "state"]) { if (filter(name)) { query.set(name, filter(name)); } }
        return read("/v1/jobs?" + query);
    };
    const [by, what] = [filter("by"), filter("number").trim()];
    if (!by || !what) { return ask(); }
    if (by === "question" || /^\d+$/.test(what)) { return ask({ [by]: what }); }
    // A friend is found by a part of the name.
    const { data: friends } = await read("/api/contacts?" + new URLSearchParams({ limit: 10, query: what }));
    const found = await Promise.all(friends.map(({ id }) => ask({ friend: id })));
    const jobs = new Map(found.flatMap(({ data }) => data).map((job) => [job.id, job]));
    return { data: [...jobs.values()], next_after: null };
}

function rows(jobs, chosen, changed) {
    return table("Jobs", ["job", "state", "when", "lane", "priority", "#carries", "#failures", "last reason"], jobs.map((job) => make("tr", { "data-job": job.id },
        make("th", { scope: "row" }, job.state === "held" ? null : box(job, chosen, changed), make("a", { href: `/jobs/${job.id}`, "data-act": `open ${job.id}` }, String(job.id))),
        cell(state(...kinds[job.state]), small(job.worker ? `by ${job.worker.name ?? job.worker.id}` : "")),
        cell(`${moments[job.state]} ${away(job.at)}`), cell(job.lane), cell(job.priority),
        amount("carries", number(job.subject_count)), amount("failures", number(job.failures)),
        make("td", { className: "text" }, job.reason ?? ""))),
        filter("state") || filter("lane") || filter("number") ? "No job matches the filter." : "There are no waiting, held or dead jobs.");
}

/** A check box that selects a job. */
function box(job, chosen, changed) {
    const made = make("input", { type: "checkbox", "data-act": `choose ${job.id}`, "aria-label": `Choose job ${job.id}` });
    made.checked = chosen.has(job.id);
    made.addEventListener("change", () => {
        if (made.checked) { chosen.set(job.id, job.state); } else { chosen.delete(job.id); }
        changed();
    });
    return made;
}

function finishedRows(jobs) {
    return table("Finished jobs", ["job", "ended", "called", "lane", "#carried", "#took", "worker"], jobs.map((job) => make("tr", { "data-job": job.id },
        make("th", { scope: "row" }, String(job.id)), cell(state(...ends[job.outcome])), cell(away(job.started_at)), cell(job.lane),
        amount("carried", number(job.subject_count)), amount("took", job.took_seconds === null ? "–" : seconds(job.took_seconds)),
        cell(job.worker.name ?? `number ${job.worker.id}, ended`))), "No job ended in the last 24 hours.");
}

const seconds = (value) => `${value < 10 ? value.toFixed(2) : Math.round(value)} s`;

const losses = {
    retry: ["Retry", "They are enqueued again, as if they had never failed.", ({ dead, delayed }) => dead + delayed],
    cancel: ["Cancel", "Their questions fail. The jobs are kept as dead jobs.", ({ waiting }) => waiting],
    discard: ["Discard", "They are deleted. Their questions stay failed.", ({ dead }) => dead],
};

/** A button that counts the selected jobs, asks for confirmation, and acts. */
function bulkAct(verb, name, meant, which, load, count = losses[verb][2]) {
    const [word, loss] = losses[verb];
    return button(`${verb} ${name}`, `${word} ${name}`, async () => {
        const jobs = count(await send("POST", `/v1/jobs/${verb}`, { ...meant, dry_run: true }));
        ask(`${word} ${plural(jobs, `${which[0]} job`, `${which[0]} jobs`)}${which[1]}?`, loss, word, async () => {
            await send("POST", `/v1/jobs/${verb}`, meant);
            await load();
        });
    });
}

/** Buttons for all dead jobs of the selected lane. */
function bulk(jobs, load) {
    if (filter("state") !== "dead" || filter("number") || !jobs.length) { return []; }
    const meant = filter("lane") ? { lane: filter("lane") } : { all: true };
    const where = filter("lane") ? ` of ${filter("lane")}` : "";
    return ["retry", "discard"].map((verb) => bulkAct(verb, "all", meant, ["dead", where], load, ({ dead }) => dead));
}

/** Buttons for the selected jobs, as far as their states permit. */
function actsOnChosen(chosen, load) {
    const states = new Set(chosen.values());
    const [hasDead, hasWaiting] = [states.has("dead"), states.has("ready") || states.has("later")];
    const verbs = [(hasDead || states.has("later")) && "retry", hasWaiting && "cancel", hasDead && "discard"].filter(Boolean);
    return [make("span", {}, `${number(chosen.size)} chosen`), ...verbs.map((verb) => bulkAct(verb, "chosen", { ids: [...chosen.keys()] }, ["chosen", ""], () => {
        chosen.clear();
        return load();
    }))];
}

// ---- One job

async function one(main, person, id) {
    const { lead, body } = sheet(main, `Job ${id}`);
    if (!mayAdminister(person, lead, "the jobs")) { return; }
    let [lane, isGone] = [null, false];
    const end = (text) => {
        isGone = true;
        lead.textContent = "";
        body.replaceChildren(make("p", { className: "empty" }, text, " ", make("a", { href: "/jobs" }, "All jobs")));
    };
    const load = async () => {
        if (isGone) { return; }
        let job = null;
        try {
            job = await read("/v1/jobs/" + encodeURIComponent(id));
            lane ??= await read("/v1/lanes/" + encodeURIComponent(job.lane));
        } catch (error) {
            if (error.status !== 404) { throw error; }
            return end("There is no such job: it has ended or never existed. Its results are stored with the addresses. The list of jobs also shows finished ones.");
        }
        if (isGone) { return; }
        lead.replaceChildren(state(...kinds[job.state]), ` in lane ${job.lane}`);
        replace(body, make("p", { className: "why", "data-name": "why" }, job.why.sentence), make("p", { className: "after" }, ...acts(job, load, end)), about(job, lane), make("h2", {}, "History"), timeline(job));
    };
    return often(load);
}

function acts(job, load, end) {
    const path = `/v1/jobs/${job.id}`;
    const act = (verb, word) => async () => {
        await send("POST", `${path}/${verb}`);
        await load();
    };
    const asked = (verb, word, loss, done) => button(verb, word + " …", () => ask(`${word} job ${job.id}?`, loss, word, async () => {
        await send("POST", `${path}/${verb}`);
        end(`Job ${job.id} is ${done}.`);
    }));
    if (job.state === "dead") {
        return [button("retry", "Retry", act("retry")), asked("discard", "Discard", `It is deleted. ${plural(job.subject_count, "question stays", "questions stay")} failed.`, "discarded")];
    }
    if (job.state === "held") { return []; }
    return [button("hurry", "Hurry", act("hurry")), ...job.state === "later" ? [button("retry", "Retry now", act("retry"))] : [],
        asked("cancel", "Cancel", `It is kept as a dead job, and ${plural(job.subject_count, "question fails", "questions fail")}.`, "cancelled")];
}

function about(job, lane) {
    const listed = job.subjects.slice(0, 20).join(", ") + (job.subjects.length > 20 ? ", …" : "");
    return facts(["Priority", job.priority], [lane.kind === "upload" ? "Carries trackers" : "Carries questions", `${number(job.subject_count)}: ${listed}`],
        ["Failures", number(job.failures)], ["Workers lost", number(job.losses)],
        ["Lane", make("a", { href: "/lanes/" + encodeURIComponent(job.lane) }, job.lane)],
        ["Other jobs", make("a", { href: `/jobs?lane=${encodeURIComponent(job.lane)}` }, `jobs of ${job.lane}`)]);
}

/** Each failed call, and the present state. A call that was refused as too fast, or put off, is not a failure and not stored with the job. */
function timeline(job) {
    const line = (kind, moment, title, ...rest) => make("li", {}, make("span", { className: "when" }, clock(moment)), state(kind, title), ...rest.filter(Boolean).map((text) => make("small", {}, text)));
    const past = job.history.map((failure, place) => {
        const took = failure.took_seconds === null ? "" : seconds(failure.took_seconds);
        return line("wrong", failure.started_at ?? failure.at, `call ${place + 1} failed`, failure.reason ?? "without a reason",
            [took && `took ${took}`, failure.worker && `worker ${failure.worker}`].filter(Boolean).join(", "));
    });
    const now = {
        held: () => line("good", job.at, "call", `held by ${job.worker?.name ?? "worker " + job.worker?.id}`),
        ready: () => line("calm", job.at, "due", "waits for a worker"), later: () => line("past", job.at, "due", `${away(job.at)}`),
        dead: () => line("wrong", job.at, "given up", job.reason),
    }[job.state]();
    return make("ol", { className: "timeline" }, ...past, now);
}

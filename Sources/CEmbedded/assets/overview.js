// The states of the account's addresses, and the work of the cluster.
import { make, number, often, plural, read, time, watch } from "./app.js";
import { callHistory } from "./chart.js";
import { laneTable } from "./lanes.js";
import { amount, cell, megabytes, replace, table } from "./parts.js";

const words = {
    waiting: ["waiting", "for an answer"], located: ["located", ""], needs_review: ["to be reviewed", "doubtful answers"],
    not_found: ["not found", ""], failed: ["failed", "the provider failed"], forgotten: ["forgotten", "must not be stored"],
};

export async function show(main, person) {
    const lead = make("p", { className: "lead" });
    const cards = make("dl", { className: "cards", id: "cards" });
    const cluster = make("section", {});
    main.append(make("div", { className: "sheet" }, make("h1", {}, "Overview"), lead, cards, cluster));
    const progress = often(async () => {
        const progress = await read("/v1/progress");
        lead.textContent = `${plural(progress.addresses, "address", "addresses")} of the account ${person.account}, ${progress.questions === null ? "being counted" : plural(progress.questions, "question", "different questions")}`;
        const provisional = progress.provisional ? [card("provisional", "of the located: a provider did not look", number(progress.provisional), "provisional")] : [];
        cards.replaceChildren(...Object.entries(progress.by_status)
            .filter(([status, count]) => count || ["waiting", "located", "not_found"].includes(status))
            .map(([status, count]) => card(...words[status] ?? [status, ""], number(count), status)), ...provisional);
    });
    if (!person.scopes.includes("admin")) {
        cluster.replaceChildren(make("p", { className: "lead" }, 'With the scope "admin", this page also shows the lanes.'));
        return progress;
    }
    const [queue, lanes, workers, history] = [make("dl", { className: "cards", id: "queue" }), make("div", {}), make("div", {}), callHistory()];
    cluster.replaceChildren(make("h2", {}, "The queue"), queue, ...history.parts, make("h2", {}, "Lanes"), lanes, make("h2", {}, "Workers"), workers);
    const overview = watch("/v1/overview/events", "overview", (now) => {
        const sum = (name) => now.lanes.reduce((all, lane) => all + (lane[name] ?? 0), 0);
        const rate = now.lanes.reduce((all, lane) => all + (lane.throughput["10s"]?.calls ?? 0) / (lane.throughput["10s"]?.seconds || 10), 0);
        const oldest = Math.max(...now.lanes.map((lane) => lane.oldest_wait_seconds ?? 0));
        // The lane that ends last. A lane without an estimate comes first.
        const last = now.lanes.filter((lane) => lane.ready + lane.later).sort((one, other) => (other.done_in_seconds ?? Infinity) - (one.done_in_seconds ?? Infinity))[0];
        queue.replaceChildren(
            card("ready jobs", sum("ready") && oldest ? `the oldest waits for ${time(oldest)}` : "", number(sum("ready")), "ready"),
            card("later", "wait for their time", number(sum("later")), "later"),
            card("calls a second", "over the last 10 s", rate < 10 ? rate.toFixed(1) : number(Math.round(rate)), "rate"),
            card("done in", last ? `${last.name}: ${last.done_basis}` : "nothing waits", last?.done_in_seconds ? time(last.done_in_seconds) : "–", "done"),
            card("calls saved", `${number(now.answered_addresses)} answered, ${number(now.called_addresses)} sent in calls`, number(now.calls_saved), "saved"),
            card("dead jobs", "failed permanently", number(sum("dead")), "dead"));
        replace(lanes, laneTable(now.lanes));
        replace(workers, workerTable(now.workers));
    });
    return Promise.all([progress, overview, history.begin()]);
}

function card(title, note, value, name) {
    return make("div", { className: "card", "data-name": name }, make("dt", {}, title), make("dd", {}, value, note ? make("small", {}, note) : null));
}

function workerTable(workers) {
    return table("Workers", ["worker", "state", "#jobs held", "#calls, last minute", "#memory"], workers.map((worker) => make("tr", { "data-worker": worker.name },
        make("th", { scope: "row" }, worker.name, make("small", {}, worker.host)),
        cell(worker.is_quiet ? "quiet" : worker.silent_seconds > 10 ? `silent for ${time(worker.silent_seconds)}` : "works"),
        amount("held", number(worker.held)), amount("calls", number(worker.throughput["1m"]?.calls ?? 0)),
        amount("memory", worker.memory_bytes ? megabytes(worker.memory_bytes) : ""))),
        ["No worker is running, so no calls are made. ", make("code", {}, "waypost worker"), " starts one."]);
}

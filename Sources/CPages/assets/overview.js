// How the account's addresses stand, and how the cluster works on them.
import { make, number, often, plural, read, watch } from "./app.js";
import { laneTable, sparkline, time } from "./lanes.js";

const words = {
    waiting: ["waiting", "for an answer"], located: ["located", ""], needs_review: ["to be reviewed", "doubtful answers"],
    not_found: ["not found", ""], failed: ["failed", "a provider did"], forgotten: ["forgotten", "may not be kept"],
};

export async function show(main, person) {
    const lead = make("p", { className: "lead" });
    const cards = make("dl", { className: "cards", id: "cards" });
    const cluster = make("section", {});
    main.append(make("div", { className: "sheet" }, make("h1", {}, "Overview"), lead, cards, cluster));
    const progress = often(async () => {
        const progress = await read("/v1/progress");
        lead.textContent = `${plural(progress.addresses, "address", "addresses")} of the account ${person.account}, ${progress.questions === null ? "being counted" : plural(progress.questions, "question", "different questions")}`;
        cards.replaceChildren(...Object.entries(progress.by_status)
            .filter(([status, count]) => count || ["waiting", "located", "not_found"].includes(status))
            .map(([status, count]) => card(...words[status] ?? [status, ""], number(count), status)));
    });
    if (!person.scopes.includes("admin")) {
        cluster.replaceChildren(make("p", { className: "lead" }, "Who has the scope admin sees the lanes here, too."));
        return progress;
    }
    const [queue, lanes, workers, past] = [make("dl", { className: "cards", id: "queue" }), make("div", {}), make("div", {}), make("div", {})];
    cluster.replaceChildren(make("h2", {}, "The queue"), queue, make("h2", {}, "Calls in the last hour"), past, make("h2", {}, "Lanes"), lanes, make("h2", {}, "Workers"), workers);
    const overview = watch("/v1/overview/events", "overview", (now) => {
        const sum = (name) => now.lanes.reduce((all, lane) => all + (lane[name] ?? 0), 0);
        const rate = now.lanes.reduce((all, lane) => all + (lane.throughput["10s"]?.calls ?? 0) / (lane.throughput["10s"]?.seconds || 10), 0);
        const oldest = Math.max(...now.lanes.map((lane) => lane.oldest_wait_seconds ?? 0));
        // The lane that ends last: one of which nobody can say when comes before all others.
        const last = now.lanes.filter((lane) => lane.ready + lane.later).sort((one, other) => (other.done_in_seconds ?? Infinity) - (one.done_in_seconds ?? Infinity))[0];
        queue.replaceChildren(
            card("ready jobs", sum("ready") && oldest ? `the oldest since ${time(oldest)}` : "", number(sum("ready")), "ready"),
            card("later", "wait for their time", number(sum("later")), "later"),
            card("calls a second", "over the last 10 s", rate < 10 ? rate.toFixed(1) : number(Math.round(rate)), "rate"),
            card("done in", last ? `${last.name}: ${last.done_basis}` : "nothing waits", last?.done_in_seconds ? time(last.done_in_seconds) : "–", "done"),
            card("calls saved", `${number(now.answered_addresses)} answered, ${number(now.called_addresses)} called for`, number(now.calls_saved), "saved"),
            card("failed for good", "dead jobs", number(sum("dead")), "dead"));
        const focused = document.activeElement?.dataset.act;
        lanes.replaceChildren(laneTable(now.lanes));
        if (focused) { lanes.querySelector(`[data-act="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true }); }
        workers.replaceChildren(workerTable(now.workers));
    });
    const history = often(async () => {
        const { lanes } = await read("/v1/throughput/history?span=1h");
        past.replaceChildren(sparkline(lanes));
    }, 20_000);
    return Promise.all([progress, overview, history]);
}

function card(title, note, value, name) {
    return make("div", { className: "card", "data-name": name }, make("dt", {}, title), make("dd", {}, value, note ? make("small", {}, note) : null));
}

function workerTable(workers) {
    if (!workers.length) { return make("p", { className: "lead" }, "No worker is there: nothing is called. ", make("code", {}, "waypost worker"), " starts one."); }
    const rows = workers.map((worker) => make("tr", { "data-worker": worker.name },
        make("th", { scope: "row" }, worker.name, make("small", {}, worker.host)),
        make("td", {}, worker.quiet ? "quiet" : worker.silent_seconds > 10 ? `silent for ${time(worker.silent_seconds)}` : "works"),
        make("td", { className: "amount" }, number(worker.held)),
        make("td", { className: "amount" }, number(worker.throughput["1m"]?.calls ?? 0)),
        make("td", { className: "amount" }, worker.memory_bytes ? number(Math.round(worker.memory_bytes / 1_048_576)) + " MB" : "")));
    return make("div", { className: "wide", tabindex: "0", role: "region", "aria-label": "Workers" }, make("table", { className: "plain" },
        make("thead", {}, make("tr", {}, ...["worker", "state", "jobs held", "calls, last minute", "memory"].map((title, place) =>
            make("th", { scope: "col", className: place > 1 ? "amount" : "" }, title)))),
        make("tbody", {}, ...rows)));
}

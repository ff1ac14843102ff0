// The workers: their state, their lanes, and their last heartbeat.
import { make, number, plural, send, time, watch } from "./app.js";
import { ago, amount, ask, button, cell, facts, mayAdminister, megabytes, replace, sheet, small, state, table } from "./parts.js";

const SILENT = 10;

export function show(main, person) {
    const name = decodeURIComponent(location.pathname.split("/")[2] ?? "");
    const { lead, body } = sheet(main, name ? `Worker ${name}` : "Workers");
    if (!mayAdminister(person, lead, "the workers")) { return; }
    return watch("/v1/overview/events", "overview", ({ workers }) => {
        const meant = name ? workers.filter((worker) => worker.name === name) : workers;
        const [quiet, held] = [meant.filter((worker) => worker.is_quiet).length, meant.reduce((sum, worker) => sum + worker.held, 0)];
        lead.textContent = !meant.length ? "" : name ? `${plural(held, "job", "jobs")} held`
            : `${plural(meant.length, "worker", "workers")}${quiet ? `, ${number(quiet)} of them quiet` : ""}, ${plural(held, "job", "jobs")} held`;
        replace(body, name ? details(meant, workers, name) : workerTable(meant, workers));
    });
}

function workerTable(meant, workers) {
    const heads = ["worker", "state", "lanes", "#jobs held", "#calls a second", "#memory", "#last heartbeat", "change"];
    return table("Workers", heads, meant.map((worker) => make("tr", { "data-worker": worker.name },
        make("th", { scope: "row" }, make("a", { href: "/workers/" + encodeURIComponent(worker.name), "data-act": `open ${worker.id}` }, worker.name), make("small", {}, `${worker.host}, process ${worker.pid}`)),
        cell(standing(worker), small(`for ${time(worker.age_seconds)}`)), make("td", { className: "text" }, worker.lanes.join(", ")),
        amount("held", number(worker.held)), amount("rate", rate(worker), small(`${plural(worker.throughput["1m"].calls, "call", "calls")} in a minute`)),
        amount("memory", worker.memory_bytes ? megabytes(worker.memory_bytes) : "–"), amount("silent", ago(worker.silent_seconds)),
        make("td", { className: "acts" }, change(worker, workers)))),
        ["No worker is running, so no calls are made. ", make("code", {}, "waypost worker"), " starts one."]);
}

function details(meant, workers, name) {
    const made = meant.map((worker) => make("section", { "data-worker": worker.name },
        facts(["State", standing(worker)], ["Lanes", worker.lanes.join(", ") || "nothing"], ["Jobs held", number(worker.held)],
            ["Memory", worker.memory_bytes ? megabytes(worker.memory_bytes) : "unknown"], ["Process", `${worker.pid} on ${worker.host}, worker number ${worker.id}`],
            ["Started", ago(worker.age_seconds)], ["Last heartbeat", ago(worker.silent_seconds)]),
        make("p", { className: "after" }, change(worker, workers)),
        make("h2", {}, "Calls"),
        table("Calls", ["in the last", "#calls", "#answered", "#retried", "#limited", "#failed", "#lost", "#addresses"], Object.entries({ "10s": "10 s", "1m": "minute", "1h": "hour" }).map(([span, text]) => {
            const counts = worker.throughput[span];
            return make("tr", { "data-span": span }, make("th", { scope: "row" }, text), ...["calls", "answered", "retried", "limited", "failed", "lost", "subjects"].map((key) => amount(key, number(counts[key]))));
        }), "")));
    const none = make("p", { className: "empty" }, `No running worker has the name ${name}. `, make("a", { href: "/workers" }, "All workers"));
    return make("div", {}, ...made.length ? made : [none]);
}

function standing(worker) {
    if (worker.silent_seconds > SILENT) { return state("wrong", `silent for ${time(worker.silent_seconds)}`); }
    return worker.is_quiet ? state("past", "quiet") : state("good", "works");
}

function rate(worker) {
    const { calls, seconds } = worker.throughput["10s"];
    return (calls / seconds).toFixed(1);
}

/** The button of a worker. It asks before the last worker of a lane is made quiet, because the lane stops then. */
function change(worker, workers) {
    const path = `/v1/workers/${worker.id}/`;
    if (worker.is_quiet) { return button(`resume ${worker.id}`, "Resume", () => send("POST", path + "resume"), `Resume: ${worker.name}`); }
    const left = worker.lanes.filter((lane) => !workers.some((other) => other.id !== worker.id && !other.is_quiet && other.lanes.includes(lane)));
    const quiet = () => send("POST", path + "quiet");
    return button(`quiet ${worker.id}`, "Quiet", () => left.length
        ? ask(`Quiet ${worker.name}?`, `It finishes its jobs and claims no more. No other worker serves ${left.join(", ")}, so the jobs there wait.`, "Quiet", quiet)
        : quiet(), `Quiet: ${worker.name}`);
}

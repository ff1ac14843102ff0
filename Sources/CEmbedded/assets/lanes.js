// The lanes: their limits, the use of them, and the reason if one is stopped.
import { make, number, plural, send, time, watch } from "./app.js";
import { shape } from "./chart.js";
import { mark } from "./marks.js";
import { amount, ask, button, cell, mayAdminister, replace, sheet, small, table } from "./parts.js";

export function show(main, person) {
    const { lead, body } = sheet(main, "Lanes");
    if (!mayAdminister(person, lead, "the lanes")) { return; }
    return watch("/v1/overview/events", "overview", ({ lanes }) => {
        lead.textContent = `${plural(lanes.length, "lane", "lanes")}: one for each provider and sink, each with limits of its own`;
        replace(body, laneTable(lanes, controls));
    });
}

/** The buttons that change a lane. The server's next event shows the change. */
export function controls(lane) {
    const path = `/v1/lanes/${encodeURIComponent(lane.name)}`;
    const isPaused = lane.state !== "open" && lane.state !== "probing";
    const act = (name, text, work) => button(`${name} ${lane.name}`, text, work, `${text}: ${lane.name}`);
    return [
        isPaused ? act("resume", "Resume", () => send("POST", path + "/resume")) : act("pause", "Pause", () => send("POST", path + "/pause")),
        act("limits", "Limits", () => askForLimits(lane, path)),
    ];
}

const units = { s: 1, min: 60, h: 3_600, day: 86_400 };

/** Parses `20/s 300/min` into the form of the API; null if it is invalid. */
function limits(text) {
    const words = text.trim().split(/[\s,]+/).filter((word) => word && word !== "none");
    const found = words.map((word) => word.match(/^([\d,]+(?:\.\d+)?)\/(s|min|h|day|\d+ ?s)(?::burst=(\d+(?:\.\d+)?))?$/));
    return found.every(Boolean) ? found.map(([, calls, unit, burst]) => ({
        calls: Number(calls.replaceAll(",", "")), per_seconds: units[unit] ?? Number.parseInt(unit, 10), burst: burst ? Number(burst) : null,
    })) : null;
}

function askForLimits(lane, path) {
    const field = make("input", { id: "limits", value: lane.limits.map((one) => `${limit(one)}:burst=${one.burst}`).join(" "), autocomplete: "off", spellcheck: "false" });
    ask(`Limits of ${lane.name}`, "For example 20/s 300/min:burst=5, with the units s, min, h and day. All limits apply at once, to the whole cluster. Blank means no limits.", "Set", async () => {
        const list = limits(field.value);
        if (!list) { throw new Error("This is not a limit."); }
        await send("PUT", path + "/limits", { limits: list });
    }, make("label", {}, "Calls", field));
    field.select();
}

const shapes = {
    open: { colour: "sure", shape: "circle" }, probing: { colour: "likely", shape: "circle" },
};
const stopped = { colour: "doubtful", shape: "diamond" };

export const stateOf = (lane) => make("span", { className: "state" }, mark(shapes[lane.state] ?? stopped), lane.state);

/** The number of recently failed calls, and the reason of the latest; blank if none failed. */
export function whyCallsFail({ failures, because }) {
    if (!failures) { return ""; }
    const text = `${number(failures.failed)} of ${plural(failures.calls, "call", "calls")} failed in the last 10 minutes`;
    return small(because?.endsWith(failures.reason) ? text : `${text}; the last: ${failures.reason}`);
}

/** A row for each lane, which ends with the buttons from `controls`. */
export function laneTable(lanes, controls = null) {
    const heads = ["lane", "state", "limits", "calls, last minute", "#ready", "#later", "#held", "#dead", ...controls ? ["change"] : []];
    return table("Lanes", heads, lanes.map((lane) => make("tr", { "data-lane": lane.name },
        make("th", { scope: "row" }, make("a", { href: `/lanes/${encodeURIComponent(lane.name)}`, "data-act": `open ${lane.name}` }, lane.name)),
        cell(stateOf(lane), small(lane.because), whyCallsFail(lane)),
        make("td", { className: "text" }, lane.limits.length ? lane.limits.map(limit).join(", ") : "none", small(lane.pace < 1 ? `at ${Math.round(lane.pace * 100)} % of them, after complaints` : "")),
        make("td", { className: "use", "data-name": "calls" }, used(lane.throughput["1m"] ?? { calls: 0, permitted: null })),
        amount("ready", number(lane.ready), small(lane.ready && lane.done_in_seconds !== null ? `done in ${time(lane.done_in_seconds)}` : "")),
        ...["later", "held", "dead"].map((name) => amount(name, number(lane[name]))),
        controls ? make("td", { className: "acts" }, ...controls(lane)) : null)), "There are no lanes yet.");
}

export function limit({ calls, per_seconds: seconds }) {
    const unit = { 1: "s", 60: "min", 3_600: "h", 86_400: "day" }[seconds];
    return `${number(calls)}/${unit ?? seconds + "s"}`;
}

/** The calls of a span, compared with the permitted ones. */
export function used({ calls, permitted }) {
    if (!permitted) { return number(calls); }
    const bar = shape("rect", { width: Math.min(100, 100 * calls / permitted), height: 6 });
    const picture = shape("svg", { viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" }, bar);
    return make("div", {}, `${number(calls)} of ${number(Math.floor(permitted))}`, make("div", { className: "rail" }, picture));
}

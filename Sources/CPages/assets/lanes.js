// The lanes: what they are permitted, what they use of it, and why one stands still.
import { at, make, number, plural, send, trouble, watch } from "./app.js";
import { mark } from "./marks.js";
import { shape } from "./staircase.js";

export function show(main, person) {
    const lead = make("p", { className: "lead" });
    const body = make("div", { className: "below" });
    main.append(make("div", { className: "sheet" }, make("h1", {}, "Lanes"), lead, body));
    if (!person.scopes.includes("admin")) {
        lead.textContent = "Who has the scope admin sees the lanes.";
        return;
    }
    return watch("/v1/overview/events", "overview", ({ lanes }) => {
        lead.textContent = `${plural(lanes.length, "lane", "lanes")}: one for each provider and sink, each with limits of its own`;
        // Whoever has a button under their finger keeps it.
        const focused = document.activeElement?.dataset.act;
        body.replaceChildren(laneTable(lanes, controls));
        if (focused) { body.querySelector(`[data-act="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true }); }
    });
}

/** What changes a lane. The table shows what the server says of it afterwards. */
export function controls(lane) {
    const path = `/v1/lanes/${encodeURIComponent(lane.name)}`;
    const isPaused = lane.state !== "open" && lane.state !== "probing";
    const act = (name, text, work) => {
        const button = make("button", { className: "quiet", type: "button", "data-act": `${name} ${lane.name}`, "aria-label": `${text}: ${lane.name}` }, text);
        button.addEventListener("click", async () => {
            try { await work(); } catch (error) { trouble(error.message); }
        });
        return button;
    };
    return [
        isPaused ? act("resume", "Resume", () => send("POST", path + "/resume")) : act("pause", "Pause", () => send("POST", path + "/pause")),
        act("limits", "Limits", () => askForLimits(lane, path)),
    ];
}

const units = { s: 1, min: 60, h: 3_600, day: 86_400 };

/** `20/s 300/min` as the API takes it; null where it is none. */
function limits(text) {
    const words = text.trim().split(/[\s,]+/).filter((word) => word && word !== "none");
    const found = words.map((word) => word.match(/^([\d,]+(?:\.\d+)?)\/(s|min|h|day|\d+ ?s)(?::burst=(\d+(?:\.\d+)?))?$/));
    return found.every(Boolean) ? found.map(([, calls, unit, burst]) => ({
        calls: Number(calls.replaceAll(",", "")), per_seconds: units[unit] ?? Number.parseInt(unit, 10), burst: burst ? Number(burst) : null,
    })) : null;
}

function askForLimits(lane, path) {
    const field = make("input", { id: "limits", value: lane.limits.map((one) => `${limit(one)}:burst=${one.burst}`).join(" "), autocomplete: "off", spellcheck: "false", "aria-describedby": "how" });
    const wrong = make("p", { className: "wrong", role: "alert" });
    const save = make("button", { className: "plain" }, "Set");
    const cancel = make("button", { className: "quiet", type: "button" }, "Cancel");
    const form = make("form", { method: "dialog" }, make("h2", { id: "limits-title" }, `Limits of ${lane.name}`), make("label", {}, "Calls", field),
        make("p", { id: "how", className: "soft" }, "Such as 20/s 300/min:burst=5; units are s, min, h and day. All hold at once, in the whole cluster. Blank means none."), wrong,
        make("p", { className: "buttons" }, save, " ", cancel));
    const dialog = make("dialog", { className: "ask", "aria-labelledby": "limits-title" }, form);
    cancel.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => dialog.remove());
    form.addEventListener("submit", async (event) => {
        event.preventDefault();
        const list = limits(field.value);
        if (!list) { return wrong.replaceChildren("This is no limit."); }
        try {
            await send("PUT", path + "/limits", { limits: list });
            dialog.close();
        } catch (error) {
            wrong.replaceChildren(error.message);
        }
    });
    at("main").append(dialog);
    dialog.showModal();
    field.select();
}

const shapes = {
    open: { colour: "sure", shape: "circle" }, probing: { colour: "likely", shape: "circle" },
};
const stopped = { colour: "doubtful", shape: "diamond" };

export const stateOf = (lane) => make("span", { className: "state" }, mark(shapes[lane.state] ?? stopped), lane.state);

/** How many calls failed of late, and why the latest did; null where none failed. */
export function whyCallsFail({ failures, because }) {
    if (!failures) { return null; }
    const text = `${number(failures.failed)} of ${plural(failures.calls, "call", "calls")} failed in the last 10 minutes`;
    return make("small", { className: "failures" }, because?.endsWith(failures.reason) ? text : `${text}; the last: ${failures.reason}`);
}

/** A row for each lane, at its end what `controls` gives for it. */
export function laneTable(lanes, controls = null) {
    const head = ["lane", "state", "limits", "calls, last minute", "ready", "later", "held", "dead", ...controls ? ["change"] : []];
    const rows = lanes.map((lane) => make("tr", { "data-lane": lane.name },
        make("th", { scope: "row" }, make("a", { href: `/lanes/${encodeURIComponent(lane.name)}`, "data-act": `open ${lane.name}` }, lane.name)),
        make("td", {}, stateOf(lane), lane.because ? make("small", {}, lane.because) : null, whyCallsFail(lane)),
        make("td", {}, lane.limits.length ? lane.limits.map(limit).join(", ") : "none", lane.pace < 1 ? make("small", {}, `at ${Math.round(lane.pace * 100)} % of it, after complaints`) : null),
        make("td", { className: "use", "data-name": "calls" }, used(lane.throughput["1m"] ?? { calls: 0, permitted: null })),
        make("td", { className: "amount", "data-name": "ready" }, number(lane.ready), lane.ready && lane.done_in_seconds !== null ? make("small", {}, `done in ${time(lane.done_in_seconds)}`) : null),
        ...["later", "held", "dead"].map((name) => make("td", { className: "amount", "data-name": name }, number(lane[name]))),
        controls ? make("td", { className: "acts" }, ...controls(lane)) : null));
    return make("div", { className: "wide", tabindex: "0", role: "region", "aria-label": "Lanes" },
        make("table", { className: "plain" },
            make("thead", {}, make("tr", {}, ...head.map((title, place) => make("th", { scope: "col", className: place > 3 ? "amount" : "" }, title)))),
            make("tbody", {}, ...rows)));
}

export function limit({ calls, per_seconds: seconds }) {
    const unit = { 1: "s", 60: "min", 3_600: "h", 86_400: "day" }[seconds];
    return `${number(calls)}/${unit ?? seconds + "s"}`;
}

/** Seconds as a person says them. */
export function time(seconds) {
    const [size, unit] = [[86_400, "days"], [3_600, "h"], [60, "min"], [1, "s"]].find(([size]) => seconds >= 2 * size) ?? [1, "s"];
    return `${number(Math.round(seconds / size))} ${unit}`;
}

/** The calls of a span, as a part of what it permitted. */
export function used({ calls, permitted }) {
    if (!permitted) { return number(calls); }
    const bar = shape("rect", { width: Math.min(100, 100 * calls / permitted), height: 6 });
    const picture = shape("svg", { viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" }, bar);
    return make("div", {}, `${number(calls)} of ${number(Math.floor(permitted))}`, make("div", { className: "rail" }, picture));
}

/** The calls of all lanes step by step, one bar each. */
export function sparkline(lanes) {
    const steps = [];
    for (const lane of lanes) { lane.steps.forEach((step, place) => { steps[place] = (steps[place] ?? 0) + step.calls; }); }
    const [most, sum] = [Math.max(1, ...steps), steps.reduce((all, calls) => all + calls, 0)];
    const bars = steps.map((calls, place) => shape("rect", { x: place * 10 + 1, width: 8, rx: 1, y: 60 - 58 * calls / most, height: calls ? Math.max(1, 58 * calls / most) : 0 }));
    const picture = shape("svg", { viewBox: `0 0 ${Math.max(1, steps.length) * 10} 60`, preserveAspectRatio: "none", role: "img",
        "aria-label": `${plural(sum, "call", "calls")} in ${plural(steps.length, "minute", "minutes")}, ${number(most)} at most in one` }, ...bars);
    return make("figure", { className: "past" }, picture,
        make("figcaption", {}, sum ? `${plural(sum, "call", "calls")}, ${number(most)} in the busiest minute` : "No call was made."));
}

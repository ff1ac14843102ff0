// One lane: its limits, its use of them, and its audit as a chart.
import { make, number, often, plural, read, time, watch } from "./app.js";
import { callHistory, isRead } from "./chart.js";
import { controls, limit, stateOf, used, whyCallsFail } from "./lanes.js";
import { amount, replace, table } from "./parts.js";
import { length, staircase } from "./staircase.js";

const spans = { 300: "5 minutes", 3_600: "hour", 86_400: "day" };

export async function show(main, person) {
    const name = decodeURIComponent(location.pathname.slice("/lanes/".length));
    const sheet = make("div", { className: "sheet" });
    main.append(sheet);
    if (!person.scopes.includes("admin")) {
        sheet.append(make("h1", {}, name), make("p", { className: "lead" }, 'This page needs the scope "admin".'));
        return;
    }
    document.title = `${name} · Waypost`;
    const [state, cards, acts] = [make("p", { className: "lead", id: "state" }), make("dl", { className: "cards", id: "cards" }), make("p", { className: "buttons", id: "acts" })];
    const choice = make("select", { id: "span", "aria-label": "Span of the audit" }, ...Object.entries(spans).map(([seconds, words]) => make("option", { value: seconds }, `the last ${words}`)));
    const [audit, history] = [make("div", { id: "audit" }), callHistory((lane) => lane === name)];
    sheet.append(make("p", { className: "soft" }, make("a", { href: "/lanes" }, "Lanes")), make("h1", {}, name), state, acts, cards,
        make("h2", {}, "Calls against the limits, ", choice), audit, ...history.parts);

    const overview = watch("/v1/overview/events", "overview", ({ lanes }) => {
        const lane = lanes.find((one) => one.name === name);
        if (!lane) { return state.replaceChildren("There is no lane of this name."); }
        state.replaceChildren(stateOf(lane), lane.because ? ` ${lane.because}` : "", " ", whyCallsFail(lane));
        replace(acts, ...controls(lane).flatMap((button) => [button, " "]));
        const card = (title, value, note) => make("div", { className: "card", "data-name": title }, make("dt", {}, title), make("dd", {}, value, note ? make("small", {}, note) : null));
        cards.replaceChildren(
            card("limits", lane.limits.length ? lane.limits.map(limit).join(", ") : "none", lane.pace < 1 ? `at ${Math.round(lane.pace * 100)} % of them, after complaints` : ""),
            card("calls, last minute", used(lane.throughput["1m"])),
            card("ready", number(lane.ready), lane.ready && lane.done_in_seconds !== null ? `done in ${time(lane.done_in_seconds)}` : ""),
            card("later", number(lane.later)), card("held", number(lane.held), plural(lane.workers, "worker", "workers")), card("dead", number(lane.dead)));
    });
    const look = async () => {
        const found = await read(`/v1/lanes/${encodeURIComponent(name)}/audit?last_seconds=${choice.value}`).catch((error) => {
            if (error.status === 404) { return null; }
            throw error;
        });
        if (!found) { return audit.replaceChildren(make("p", { className: "lead" }, "There are no data about this lane.")); }
        if (!isRead(audit)) { showAudit(audit, found); }
        document.documentElement.dataset.calls = found.calls;
    };
    const picture = often(look, 5_000);
    choice.addEventListener("change", look);
    return Promise.all([overview, picture, history.begin()]);
}

/** Shows the chart, and its content as text. */
function showAudit(element, audit) {
    const since = length(audit.seconds);
    if (!audit.calls) { return element.replaceChildren(make("p", { className: "lead" }, `No call was made in the last ${since}. The audit begins at the last change of the limits.`)); }
    const verdict = (one) => one.is_exceeded ? `exceeded by ${number(Math.round(one.excess * 100) / 100)} calls in the worst window` : "kept in every window";
    const numbers = table("The audit in numbers", ["limit", "verdict", "#most calls in its time", "#used"], audit.limits.map((one, place) => make("tr", { "data-limit": place },
        make("th", { scope: "row" }, limit(one), make("small", {}, `burst ${number(one.burst)}`)), make("td", { className: "text", "data-name": "verdict" }, verdict(one)),
        amount("most", `${number(one.most_in_period)} of ${number(one.permitted_in_period)}`), amount("used", `${Math.round(one.used_share * 100)} %`))), "");
    const outcomes = audit.outcomes.map((one) => `${number(one.calls)} ${one.outcome}`).join(", ");
    element.replaceChildren(staircase(audit, limit), make("p", { className: "lead" }, `${plural(audit.calls, "call", "calls")} in the last ${since}: ${outcomes}.`
        + (audit.slipped ? ` ${plural(audit.slipped, "call", "calls")} started after the end of the slot; the audit uses the real time.` : "")
        + (audit.unclear ? ` ${plural(audit.unclear, "call", "calls")} can't be put in order, because the clock was set.` : "")), audit.limits.length ? make("div", { className: "below" }, numbers) : "");
}

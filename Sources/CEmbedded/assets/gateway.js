// The requests of programs at the gateway, by token.
import { make, number, often, plural, read } from "./app.js";
import { bars, isRead } from "./chart.js";
import { amount, mayAdminister, replace, sheet, small, table } from "./parts.js";

const spans = { "1m": "minute", "1h": "hour", "1d": "day" };
const words = {
    one: "request", many: "requests", none: "There was no request.", good: "local or cache", other: "call, waiting, missed or refused",
    parts: ["local", "cache", "call", "waiting", "missed", "refused"],
};
const heads = ["token", "#requests", "#a second", "#local", "#cache", "#call", "#waiting", "#missed", "#refused", "#p50", "#p99"];

export function show(main, person) {
    const { lead, body } = sheet(main, "Gateway");
    if (!mayAdminister(person, lead, "the gateway")) { return; }
    const choice = make("select", { "aria-label": "Span of the table", "data-act": "span" }, ...Object.entries(spans).map(([value, text]) => make("option", { value }, text)));
    const [list, history] = [make("div", {}), make("div", {})];
    body.append(make("h2", {}, "Requests in the last ", choice), list,
        make("p", { className: "after" }, small("p50 and p99 leave out refused requests. They are interpolated between powers of 2.")), make("h2", {}, "Requests in the last hour"), history);
    const load = async () => {
        const span = choice.value;
        const { tokens, start, minutes } = await read(`/v1/gateway?span=${span}`);
        if (span !== choice.value) { return; }
        const rate = tokens.reduce((sum, token) => sum + token.requests_per_second, 0);
        lead.textContent = `${rateText(rate)} requests a second from ${plural(tokens.length, "token", "tokens")}`;
        replace(list, tokenTable(tokens));
        const steps = minutes.map((minute, place) => ({ ...minute, from: start + place * 60, length: 60, calls: minute.requests, answered: minute.local + minute.cache }));
        if (!isRead(history)) { history.replaceChildren(bars(steps, "1h", words)); }
    };
    choice.addEventListener("change", load);
    return often(load, 5_000);
}

const rateText = (rate) => rate >= 10 ? number(Math.round(rate)) : rate.toFixed(rate && rate < 0.1 ? 3 : 1);

function tokenTable(tokens) {
    return table("Requests by token", heads, tokens.map((token) => make("tr", { "data-token": token.token ?? "none" },
        make("th", { scope: "row" }, token.token === null ? "no token" : token.name, token.token === null ? null : small(`number ${token.token}`)),
        amount("requests", number(token.requests)), amount("rate", rateText(token.requests_per_second)),
        ...words.parts.map((name) => amount(name, number(token[name]), token[name] ? small(share(token[name], token.requests)) : null)),
        amount("p50", duration(token.p50_seconds)), amount("p99", duration(token.p99_seconds)))),
    ["No program has asked in this time. ", make("code", {}, "waypost tokens create NAME --scope geocode"), " makes a token for one."]);
}

const share = (part, whole) => part === whole ? "100\u00a0%" : `${Math.min(99, Math.max(1, Math.round(100 * part / whole)))}\u00a0%`;

function duration(seconds) {
    if (seconds === null) { return "–"; }
    return seconds < 0.9995 ? `${Number((seconds * 1_000).toPrecision(2))} ms` : `${seconds.toFixed(1)} s`;
}

// What this coordinator runs with. Nothing here can be changed: settings are the environment's.
import { make, number, read, time } from "./app.js";
import { ago, cell, facts, mayAdminister, once, sheet, small, state, table } from "./parts.js";

export async function show(main, person) {
    const { lead, body } = sheet(main, "Settings");
    if (!mayAdminister(person, lead, "the settings")) { return; }
    return once(() => fill(lead, body));
}

async function fill(lead, body) {
    const [now, { data: chains }] = await Promise.all([read("/v1/settings"), read("/v1/chains")]);
    lead.textContent = "What this coordinator runs with. Settings are read from its environment when it starts.";
    body.append(
        facts(["Waypost", now.version], ["PostgreSQL", now.database.version], ["Migration", number(now.database.migration)]),
        make("h2", {}, "Coordinators"), coordinators(now.coordinators),
        make("h2", {}, "Settings"), settings(now.settings),
        make("h2", {}, "Providers of this coordinator"), providers(now.providers),
        make("h2", {}, "Chains"), links(chains),
        make("h2", {}, "Roles of the database"), roles(now.database.roles));
}

function coordinators(list) {
    return table("Coordinators", ["host", "state", "last heard of"], list.map((one) => make("tr", {},
        make("th", { scope: "row" }, one.host, make("small", {}, `process ${one.pid}`)),
        cell(one.leads ? state("good", "leads") : state("calm", "stands by"), small(`for ${time(one.age_seconds)}`)), cell(ago(one.silent_seconds)))), "No coordinator is registered.");
}

function settings(list) {
    return table("Settings", ["setting", "value", "from"], list.map((one) => make("tr", { "data-setting": one.name },
        make("th", { scope: "row" }, make("code", {}, one.name)),
        make("td", { className: "text", "data-name": "value" }, one.is_secret ? make("span", { className: "soft" }, one.is_set ? "set, and not shown" : "not set") : one.value ?? make("span", { className: "soft" }, "not set")),
        cell(one.is_set ? "environment" : "default"))), "");
}

function providers(list) {
    const keep = ({ rule, days }) => ({ unlimited: "as long as you like", days: `for ${days} days`, session: "only while it is worked with" })[rule];
    return table("Providers", ["provider", "its terms let you keep answers", "name beside them", "finest", "where", "its own limits"], list.map((one) => make("tr", { "data-provider": one.name },
        make("th", { scope: "row" }, one.name), cell(keep(one.storage)), make("td", { className: "text" }, one.attribution ?? "nobody"), cell(one.finest, small(one.can_reverse ? "and what is at a place" : "")),
        make("td", { className: "text" }, one.countries ? one.countries.join(", ") : "the whole world"),
        cell(one.limits.map((limit) => `${number(limit.calls)}/${{ 1: "s", 60: "min", 3_600: "h", 86_400: "day" }[limit.per_seconds] ?? limit.per_seconds + "s"}`).join(", ") || "none"))), "No provider is set up.");
}

function links(chains) {
    const conditions = (link) => [link.countries && `in ${link.countries.join(", ")}`, link.below !== null && `while below ${link.below}`, link.stop && `up to ${link.stop}`, link.steps && link.steps.join(", ")].filter(Boolean).join("; ");
    return table("Chains", ["chain", "asks, one after the other", "located from", "reviewed from", "not found is kept"], chains.map((chain) => make("tr", { "data-chain": chain.name },
        make("th", { scope: "row" }, chain.name),
        make("td", { className: "text" }, make("ol", { className: "links" }, ...chain.links.map((link) => make("li", {}, link.lane, small(conditions(link)))))),
        cell(String(chain.located)), cell(String(chain.review)), cell(`${number(chain.keep_not_found_days)} days`))), "There is no chain.");
}

function roles(list) {
    return table("Roles", ["role", "state"], list.map((one) => make("tr", { "data-role": one.name }, make("th", { scope: "row" }, make("code", {}, one.name)),
        cell(one.is_permitted ? state("good", "this coordinator may take it") : one.is_there ? state("calm", "not for this coordinator") : state("wrong", "missing")))), "");
}

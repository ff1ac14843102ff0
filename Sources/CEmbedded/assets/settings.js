// The settings of this coordinator. They come from the environment, so they can't be changed here.
import { make, number, read, time } from "./app.js";
import { ago, cell, facts, mayAdminister, once, sheet, small, state, table } from "./parts.js";

export async function show(main, person) {
    const { lead, body } = sheet(main, "Settings");
    if (!mayAdminister(person, lead, "the settings")) { return; }
    return once(() => fill(lead, body));
}

async function fill(lead, body) {
    const [now, { data: chains }] = await Promise.all([read("/v1/settings"), read("/v1/chains")]);
    lead.textContent = "The settings of this coordinator, read from its environment at the start.";
    body.append(
        facts(["Waypost", now.version], ["PostgreSQL", now.database.version], ["Migration", number(now.database.migration)]),
        make("h2", {}, "Coordinators"), coordinators(now.coordinators),
        make("h2", {}, "Settings"), settings(now.settings),
        make("h2", {}, "Providers of this coordinator"), providers(now.providers),
        make("h2", {}, "Chains"), links(chains),
        make("h2", {}, "Roles of the database"), roles(now.database.roles));
}

function coordinators(list) {
    return table("Coordinators", ["host", "state", "last heartbeat"], list.map((one) => make("tr", {},
        make("th", { scope: "row" }, one.host, make("small", {}, `process ${one.pid}`)),
        cell(one.leads ? state("good", "leads") : state("calm", "standby"), small(`for ${time(one.age_seconds)}`)), cell(ago(one.silent_seconds)))), "No coordinator is registered.");
}

function settings(list) {
    return table("Settings", ["setting", "value", "from"], list.map((one) => make("tr", { "data-setting": one.name },
        make("th", { scope: "row" }, make("code", {}, one.name)),
        make("td", { className: "text", "data-name": "value" }, one.is_secret ? make("span", { className: "soft" }, one.is_set ? "set, not shown" : "not set") : one.value ?? make("span", { className: "soft" }, "not set")),
        cell(one.is_set ? "environment" : "default"))), "");
}

function providers(list) {
    const keep = ({ rule, days }) => ({ unlimited: "without a time limit", days: `for ${days} days`, session: "only while it is used" })[rule];
    return table("Providers", ["provider", "its terms permit storing", "attribution", "best precision", "countries", "its own limits"], list.map((one) => make("tr", { "data-provider": one.name },
        make("th", { scope: "row" }, one.name), cell(keep(one.storage)), make("td", { className: "text" }, one.attribution ?? "none"), cell(one.finest, small(one.can_reverse ? "also reverse" : "")),
        make("td", { className: "text" }, one.countries ? one.countries.join(", ") : "all countries"),
        cell(one.limits.map((limit) => `${number(limit.calls)}/${{ 1: "s", 60: "min", 3_600: "h", 86_400: "day" }[limit.per_seconds] ?? limit.per_seconds + "s"}`).join(", ") || "none"))), "No provider is set up.");
}

function links(chains) {
    const conditions = (link) => [link.countries && `in ${link.countries.join(", ")}`, link.below !== null && `while below ${link.below}`, link.stop && `up to ${link.stop}`, link.steps && link.steps.join(", ")].filter(Boolean).join("; ");
    return table("Chains", ["chain", "lanes, in their order", "located from", "reviewed from", "not found is stored for"], chains.map((chain) => make("tr", { "data-chain": chain.name },
        make("th", { scope: "row" }, chain.name),
        make("td", { className: "text" }, make("ol", { className: "links" }, ...chain.links.map((link) => make("li", {}, link.lane, small(conditions(link)))))),
        cell(String(chain.located)), cell(String(chain.review)), cell(`${number(chain.keep_not_found_days)} days`))), "There are no chains.");
}

function roles(list) {
    return table("Roles", ["role", "state"], list.map((one) => make("tr", { "data-role": one.name }, make("th", { scope: "row" }, make("code", {}, one.name)),
        cell(one.is_permitted ? state("good", "this coordinator may use it") : one.is_there ? state("calm", "not for this coordinator") : state("wrong", "missing")))), "");
}

// The stored answers: their number, how long they may be stored, and single answers. Addresses are not shown.
import { make, number, plural, read, send, time, trouble } from "./app.js";
import { amount, ask, away, button, cell, choice, field, filter, filters, mayAdminister, once, replace, sheet, small, state, table } from "./parts.js";

const words = {
    located: ["good", "located"], needs_review: ["wrong", "to be reviewed"], not_found: ["past", "not found"], failed: ["wrong", "failed"],
    forgotten: ["past", "forgotten"],
};
const precisions = ["rooftop", "interpolated", "street", "postcode", "city", "region", "country"];
const DAY = 86_400;
const ages = [["", "any"], [DAY, "over a day"], [7 * DAY, "over a week"], [30 * DAY, "over 30 days"], [365 * DAY, "over a year"]].map(([seconds, text]) => [String(seconds), text]);
const ends = [["", "any time"], [DAY, "within a day"], [7 * DAY, "within a week"], [30 * DAY, "within 30 days"]].map(([seconds, text]) => [String(seconds), text]);

export async function show(main, person) {
    const { lead, body } = sheet(main, "Answers");
    if (!mayAdminister(person, lead, "the stored answers")) { return; }
    const [counts, list] = [make("div", {}), make("div", {})];
    let [lanes, providers] = [[], []];
    await once(async () => { [{ data: lanes }, { providers }] = await Promise.all([read("/v1/lanes"), read("/v1/settings")]); });
    const names = [...new Set([...lanes.filter(({ kind }) => kind === "geocoding"), ...providers].map(({ name }) => name))].sort();
    const rules = new Map(providers.map((one) => [one.name, one.storage]));
    let loaded = [];
    let next = null;

    const count = async () => {
        const { data } = await read("/v1/cache");
        const sum = (name) => data.reduce((sum, row) => sum + row[name], 0);
        lead.textContent = sum("answers") ? `${plural(sum("answers"), "answer", "answers")} stored${sum("shared") ? `; ${number(sum("shared"))} of them cost no call, because another spelling was known` : ""}` : "";
        counts.replaceChildren(statsTable(data, rules));
    };
    // This counts all rows. With many millions of rows the counts may fail while the list below works.
    const tell = () => count().catch((error) => counts.replaceChildren(make("p", { className: "empty" }, error.message)));
    const more = async (isNew = false) => {
        if (isNew) { [loaded, next] = [[], null]; }
        // One request searches only a part of the table. A response without a match contains the start of the next part.
        for (let look = 0; look < 5; look += 1) {
            const page = await read("/v1/cache/answers?" + question(next));
            loaded = loaded.concat(page.data);
            next = page.next_before;
            if (!next || page.data.length) { break; }
        }
        const further = next ? button("more", loaded.length ? "Show more" : "Search further", () => more()) : null;
        replace(list, answerTable(loaded, rules, next), make("p", { className: "after" }, further));
    };
    const again = () => Promise.all([tell(), more(true)]);
    const form = filters("Filter answers", () => more(true).catch((error) => trouble(error.message)),
        choice("Status", "status", [["", "all"], ...Object.entries(words).map(([name, [, text]]) => [name, text])], filter("status")),
        choice("Provider", "provider", [["", "all"], ...names.map((name) => [name, name])], filter("provider")),
        choice("Precision", "precision", [["", "all"], ...precisions.map((name) => [name, name])], filter("precision")),
        field("Confidence below", { name: "confidence_below", type: "number", min: 0, max: 1, step: 0.05, value: filter("confidence_below"), placeholder: "1.00" }),
        choice("Age", "older_seconds", ages, filter("older_seconds")), choice("Expires", "expires_seconds", ends, filter("expires_seconds")));
    body.append(counts, make("p", { className: "after" }, clear("purge", names, again), clear("expire", names, again)), make("h2", {}, "Single answers"), form, list);
    return once(again);
}

function question(next) {
    const query = new URLSearchParams({ limit: 50 });
    for (const name of ["status", "provider", "precision", "confidence_below", "older_seconds", "expires_seconds"]) { if (filter(name)) { query.set(name, filter(name)); } }
    if (next) { query.set("before", next); }
    return query;
}

function rule(storage) {
    if (!storage) { return "unknown to this coordinator"; }
    return { unlimited: "without a time limit", days: `for ${storage.days} days`, session: "only while it is used" }[storage.rule];
}

function statsTable(data, rules) {
    return table("Answers by provider", ["provider", "its terms permit storing", "status", "#answers", "#without a call", "#by a person", "#expire", "#oldest"], data.map((row) => make("tr", { "data-provider": row.provider ?? "", "data-status": row.status },
        make("th", { scope: "row" }, row.provider ?? "none"), cell(row.provider ? row.provider === "contact" ? "given by the contact" : rule(rules.get(row.provider)) : "–"),
        cell(state(...words[row.status])), amount("answers", number(row.answers)), amount("shared", number(row.shared)), amount("pinned", number(row.pinned)),
        amount("expiring", number(row.expiring)), amount("oldest", row.oldest_seconds === null ? "–" : time(row.oldest_seconds)))),
        "No answers are stored yet.");
}

function answerTable(answers, rules, next) {
    return table("Answers", ["question", "status", "provider", "precision", "#confidence", "#area confidence", "answered", "expires"], answers.map((answer) => make("tr", { "data-answer": answer.id },
        make("th", { scope: "row" }, String(answer.id)),
        make("td", { className: "text" }, state(...words[answer.status]), small(answer.reason ?? [answer.is_pinned && "set by a person", answer.is_weak && "coarser than asked", answer.is_shared && "another spelling was known"].filter(Boolean).join(", "))),
        cell(answer.provider ?? "–"), cell(answer.precision ?? "–"), amount("confidence", answer.confidence?.toFixed(2) ?? "–"), amount("area confidence", answer.area_confidence?.toFixed(2) ?? "–"),
        cell(answer.answered_at ? away(answer.answered_at) : "–"), cell(answer.expires_at ? away(answer.expires_at) : "never", small(answer.is_lent ? rule(rules.get(answer.provider)) : "")))),
        next ? "No match in this part of the table." : "No answer matches the filter.");
}

/** A button that deletes answers or asks them again. It first counts them, and acts on the second press. */
function clear(verb, names, again) {
    const [title, word, what, loss] = {
        purge: ["Delete answers", "Delete", "Deletes the matching answers that no address uses and no person has set.", "This can't be undone. An address that is added again is asked again."],
        expire: ["Ask answers again", "Ask again", "Asks the matching answers again, unless a person has set them.", "Each one costs a call. The old place stays until the new answer."],
    }[verb];
    return button(verb, `${title} …`, () => {
        let counted = null;
        const dialog = ask(title, what, "Count", async ({ form, said, go }) => {
            const { provider, status, older_seconds: age } = Object.fromEntries(new FormData(form));
            const meant = provider || status || age ? { provider, status, older_seconds: age ? Number(age) : null } : { all: true };
            if (JSON.stringify(meant) !== counted) {
                const { answers } = await send("POST", `/v1/cache/${verb}`, { ...meant, dry_run: true });
                counted = answers ? JSON.stringify(meant) : null;
                said.textContent = answers ? `${plural(answers, "answer", "answers")}. ${loss}` : "No answer matches.";
                go.textContent = answers ? `${word} ${number(answers)}` : "Count";
                return false;
            }
            await send("POST", `/v1/cache/${verb}`, meant);
            await again();
            return true;
        }, choice("Provider", "provider", [["", "all"], ...names.map((name) => [name, name])], filter("provider")),
        choice("Status", "status", [["", "all"], ...Object.entries(words).map(([name, [, text]]) => [name, text])], filter("status")),
        choice("Age", "older_seconds", ages, filter("older_seconds")));
        // After a change of the selection, count again.
        dialog.addEventListener("change", () => {
            counted = null;
            dialog.querySelector("[data-act=go]").textContent = "Count";
        });
    });
}

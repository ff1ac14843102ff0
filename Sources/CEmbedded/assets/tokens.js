// The tokens of the account and their scopes. A token's text is shown only when it is created.
import { make, often, plural, read, send, time } from "./app.js";
import { ago, amount, ask, button, cell, choice, field, mayAdminister, replace, sheet, small, state, table } from "./parts.js";

const scopes = {
    read: "see the contacts and their places", write: "change them", track: "send positions", locate: "see positions", admin: "see and control the cluster",
};
const DAY = 86_400;
const lives = [[30 * DAY, "30 days"], [90 * DAY, "90 days"], [365 * DAY, "a year"], ["", "as long as yours"]].map(([seconds, text]) => [String(seconds), text]);

export async function show(main, person) {
    const { lead, body } = sheet(main, "Tokens");
    if (!mayAdminister(person, lead, "the tokens")) { return; }
    const load = async () => {
        const { data } = await read("/v1/tokens");
        const good = data.filter((token) => token.state === "good");
        lead.textContent = data.length ? `${plural(good.length, "valid token", "valid tokens")} of the account ${person.account}` : "";
        replace(body, make("p", { className: "after" }, button("create", "New token …", () => create(person, load))), tokenTable(data, load));
    };
    // Not while a dialog is open: after the first token is created, this request would redirect a person without a token before they see it.
    return often(() => document.querySelector("dialog[open]") ? null : load(), 10_000);
}

function tokenTable(tokens, load) {
    const order = { good: 0, expired: 1, revoked: 2 };
    const rows = [...tokens].sort((one, other) => order[one.state] - order[other.state] || one.id - other.id).map((token) => make("tr", { "data-token": token.id, "data-name": token.name },
        make("th", { scope: "row" }, token.name, make("small", {}, `number ${token.id}${token.is_own ? ", your own" : ""}`)),
        cell(standing(token)), cell(token.account), make("td", { className: "text" }, token.scopes.join(", ")),
        amount("used", token.idle_seconds === null ? "never" : token.idle_seconds < 3_600 ? "in the last hour" : `${time(token.idle_seconds)} ago`),
        amount("age", ago(token.age_seconds)),
        make("td", { className: "acts" }, token.state === "good" ? revoke(token, load) : null)));
    return table("Tokens", ["token", "state", "account", "scopes", "#last used", "#created", "change"], rows, "There is no token yet. Until the first one exists, programs on this machine need none. After that, every request needs one.");
}

function standing(token) {
    if (token.state !== "good") { return state("past", token.state); }
    return make("span", {}, state("good", "good"), small(token.good_for_seconds === null ? "does not expire" : `for ${time(token.good_for_seconds)}`));
}

function revoke(token, load) {
    return button(`revoke ${token.id}`, "Revoke", () => ask(`Revoke ${token.name}?`,
        token.is_own ? "It is your own token, so you are signed out. This can't be undone." : "Requests with it are refused within 5 seconds. This can't be undone.", "Revoke", async () => {
            await send("DELETE", `/v1/tokens/${token.id}`);
            if (token.is_own) { return location.assign("/sign-in"); }
            await load();
        }), `Revoke: ${token.name}`);
}

function create(person, load) {
    const choices = Object.entries(scopes).filter(([scope]) => person.scopes.includes(scope)).map(([scope, text]) =>
        make("label", { className: "tick" }, make("input", { type: "checkbox", name: "scope", value: scope, checked: scope === "read" ? "" : undefined }), make("span", {}, scope, make("small", {}, text))));
    ask("New token", `For the account ${person.account}. It can't do more than yours.`, "Create", async ({ form, dialog }) => {
        const data = new FormData(form);
        const life = data.get("life");
        const made = await send("POST", "/v1/tokens", { name: data.get("name").trim(), scopes: data.getAll("scope"), expires_seconds: life ? Number(life) : null });
        // Closed first, because closing moves the focus back.
        dialog.close();
        reveal(made, person, load);
    }, field("Name", { name: "name", required: "", maxlength: 200, placeholder: "its purpose" }),
    make("fieldset", {}, make("legend", {}, "Scopes"), ...choices), choice("Valid for", "life", lives, String(90 * DAY)));
}

/** Shows the token. */
function reveal(made, person, load) {
    const shown = make("input", { id: "made", readonly: "", value: made.token, "aria-label": "The new token", spellcheck: "false" });
    const copy = button("copy", "Copy", async () => {
        shown.select();
        // A page has a clipboard only in a secure context. The selected text can be copied anyway.
        await navigator.clipboard?.writeText(made.token).then(() => { copy.textContent = "Copied"; }, () => { });
    });
    const dialog = ask(`Token ${made.name}`, "It is shown only once. Store it now with your passwords: it can't be shown again." + (person.is_signed_in ? "" : " From now on every request needs a token, also from this browser."),
        "I have it", () => { }, make("p", { className: "secret" }, shown, copy));
    dialog.querySelector("form > .buttons .quiet").remove();
    dialog.addEventListener("close", () => {
        // Removes the token from the page.
        shown.value = "";
        if (person.is_signed_in) { load(); } else { location.assign("/sign-in?next=/tokens"); }
    });
    shown.select();
}

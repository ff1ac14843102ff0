// What the pages of lists have in common: tables, filters, moments, and questions before an act.
import { at, make, number, time, trouble } from "./app.js";
import { mark } from "./marks.js";

export const marks = {
    good: { colour: "sure", shape: "circle" }, calm: { colour: "likely", shape: "circle" },
    wrong: { colour: "doubtful", shape: "diamond" }, past: { colour: "none", shape: "square" },
};

/** A word with the mark that stands for it. */
export const state = (kind, text) => make("span", { className: "state" }, mark(marks[kind]), text);

/** The head of a page, and where the rest goes. */
export function sheet(main, title) {
    const lead = make("p", { className: "lead" });
    const body = make("div", { className: "below" });
    main.append(make("div", { className: "sheet" }, make("h1", {}, title), lead, body));
    return { lead, body };
}

/** Whether this person may see the cluster; else the page says what it takes. */
export function mayAdminister(person, lead, what) {
    if (person.scopes.includes("admin")) { return true; }
    lead.textContent = `Who has the scope admin sees ${what}.`;
    return false;
}

/** A table with a heading for each column; one that begins with # has numbers. Without rows, `empty` is said. */
export function table(label, heads, rows, empty) {
    if (!rows.length) { return make("p", { className: "empty" }, ...[empty].flat()); }
    // On a phone each row is a card, and each cell says what it is.
    for (const row of rows) { [...row.children].forEach((cell, place) => { cell.dataset.head = heads[place].replace("#", ""); }); }
    return make("div", { className: "wide", tabindex: "0", role: "region", "aria-label": label }, make("table", { className: "plain list" },
        make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", { scope: "col", className: head.startsWith("#") ? "amount" : "" }, head.replace("#", ""))))),
        make("tbody", {}, ...rows)));
}

export const cell = (...children) => make("td", {}, ...children);
export const amount = (name, ...children) => make("td", { className: "amount", "data-name": name }, ...children);
export const small = (text) => text ? make("small", {}, text) : null;

/** How long ago; what was within a second is now. */
export const ago = (seconds) => seconds < 1 ? "now" : `${time(seconds)} ago`;

/** How long ago, or in how long; `moment` is as the API writes it. */
export function away(moment, now = Date.now()) {
    const seconds = (Date.parse(moment) - now) / 1_000;
    return seconds >= 1 ? `in ${time(seconds)}` : ago(-seconds);
}

/** Does `work` once. Where it fails, for the database is away, that is said, and it is tried again. */
export function once(work) {
    return new Promise((done) => {
        const turn = async () => {
            try {
                await work();
                trouble("");
                done();
            } catch (error) {
                trouble(error.message);
                setTimeout(turn, 3_000);
            }
        };
        turn();
    });
}

/** The day and the time of a moment, to the second, as this browser's clock has them. */
export function clock(moment) {
    const date = new Date(moment);
    const two = (value) => String(value).padStart(2, "0");
    return make("time", { datetime: moment },
        `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`);
}

/** A choice in a form: pairs of what is sent and what is read. */
export function choice(label, name, pairs, chosen) {
    return make("label", {}, label, make("select", { name }, ...pairs.map(([value, text]) =>
        make("option", { value, selected: value === (chosen ?? "") ? "" : undefined }, text))));
}

export const field = (label, attributes) => make("label", {}, label, make("input", { autocomplete: "off", spellcheck: "false", ...attributes }));

/** A form of filters, kept in the page's address, so that it can be sent to somebody. */
export function filters(label, changed, ...fields) {
    const form = make("form", { className: "filters", "aria-label": label }, ...fields);
    const tell = () => {
        const query = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
        history.replaceState(null, "", location.pathname + (query.size ? "?" + query : ""));
        changed();
    };
    form.addEventListener("change", tell);
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        tell();
    });
    return form;
}

export const filter = (name) => new URLSearchParams(location.search).get(name) ?? "";

/** A button for an act. What goes wrong is said at the top of the page. */
export function button(name, text, work, label = text) {
    const made = make("button", { className: "quiet", type: "button", "data-act": name, "aria-label": label }, text);
    made.addEventListener("click", async () => {
        try { await work(); } catch (error) { trouble(error.message); }
    });
    return made;
}

/**
 * Asks before an act, which is done when the button with its name is pressed. Between the question and the buttons are `fields`. What `act`
 * throws is said in the dialog, which stays then; it closes when `act` returns anything but false.
 */
export function ask(title, text, word, act, ...fields) {
    const wrong = make("p", { className: "wrong", role: "alert" });
    const go = make("button", { className: "plain", "data-act": "go" }, word);
    const cancel = make("button", { className: "quiet", type: "button" }, "Cancel");
    const said = make("p", { className: "said" }, text);
    const form = make("form", { method: "dialog" }, make("h2", { id: "ask-title" }, title), said, ...fields, wrong, make("p", { className: "buttons" }, go, " ", cancel));
    const dialog = make("dialog", { className: "ask", "aria-labelledby": "ask-title" }, form);
    cancel.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => dialog.remove());
    form.addEventListener("submit", async (event) => {
        event.preventDefault();
        go.disabled = true;
        try {
            if (await act({ form, said, go, dialog }) !== false) { dialog.close(); }
        } catch (error) {
            wrong.replaceChildren(error.message);
        }
        go.disabled = false;
    });
    at("main").append(dialog);
    dialog.showModal();
    return dialog;
}

/** Facts of one thing: pairs of a name and what it is. */
export const facts = (...pairs) => make("dl", { className: "about" }, ...pairs.flatMap(([name, value]) => [make("dt", {}, name), make("dd", { "data-name": name }, value)]));

/** Puts rows where others were; whoever has a button or a link of them under their finger keeps it. */
export function replace(body, ...children) {
    const focused = document.activeElement?.dataset.act;
    const place = document.activeElement?.closest?.(".wide")?.scrollLeft;
    body.replaceChildren(...children);
    if (place) { body.querySelector(".wide")?.scrollTo({ left: place }); }
    if (focused) { body.querySelector(`[data-act="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true }); }
}

export const megabytes = (bytes) => number(Math.round(bytes / 1_048_576)) + " MB";

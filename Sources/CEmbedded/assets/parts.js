// Shared by the pages with lists: tables, filters, times, and confirmation dialogs.
import { at, make, number, time, trouble } from "./app.js";
import { mark } from "./marks.js";

export const marks = {
    good: { colour: "sure", shape: "circle" }, calm: { colour: "likely", shape: "circle" },
    wrong: { colour: "doubtful", shape: "diamond" }, past: { colour: "none", shape: "square" },
};

/** A word with the mark of its kind. */
export const state = (kind, text) => make("span", { className: "state" }, mark(marks[kind]), text);

/** The head of a page, and the element for the rest. */
export function sheet(main, title) {
    const lead = make("p", { className: "lead" });
    const body = make("div", { className: "below" });
    main.append(make("div", { className: "sheet" }, make("h1", {}, title), lead, body));
    return { lead, body };
}

/** Returns whether this person may see the cluster. If not, the page shows the scope that is needed. */
export function mayAdminister(person, lead, what) {
    if (person.scopes.includes("admin")) { return true; }
    lead.textContent = `The scope "admin" is needed to see ${what}.`;
    return false;
}

/** A table with a heading for each column. A heading that begins with # is for numbers. Without rows it shows `empty`. */
export function table(label, heads, rows, empty) {
    if (!rows.length) { return make("p", { className: "empty" }, ...[empty].flat()); }
    // On a phone each row is a card, and each cell shows its heading.
    for (const row of rows) { [...row.children].forEach((cell, place) => { cell.dataset.head = heads[place].replace("#", ""); }); }
    return make("div", { className: "wide", tabindex: "0", role: "region", "aria-label": label }, make("table", { className: "plain list" },
        make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", { scope: "col", className: head.startsWith("#") ? "amount" : "" }, head.replace("#", ""))))),
        make("tbody", {}, ...rows)));
}

export const cell = (...children) => make("td", {}, ...children);
export const amount = (name, ...children) => make("td", { className: "amount", "data-name": name }, ...children);
export const small = (text) => text ? make("small", {}, text) : null;

/** How long ago; less than a second is "now". */
export const ago = (seconds) => seconds < 1 ? "now" : `${time(seconds)} ago`;

/** How long ago, or how far in the future. `moment` is in the format of the API. */
export function away(moment, now = Date.now()) {
    const seconds = (Date.parse(moment) - now) / 1_000;
    return seconds >= 1 ? `in ${time(seconds)}` : ago(-seconds);
}

/** Runs `work` until it succeeds once. An error, such as an unreachable database, is shown meanwhile. */
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

/** The date and time of a moment, to the second, in the browser's time zone. */
export function clock(moment) {
    const date = new Date(moment);
    const two = (value) => String(value).padStart(2, "0");
    return make("time", { datetime: moment },
        `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`);
}

/** A selector in a form. Each pair has the value and the visible text. */
export function choice(label, name, pairs, chosen) {
    return make("label", {}, label, make("select", { name }, ...pairs.map(([value, text]) =>
        make("option", { value, selected: value === (chosen ?? "") ? "" : undefined }, text))));
}

export const field = (label, attributes) => make("label", {}, label, make("input", { autocomplete: "off", spellcheck: "false", ...attributes }));

/** A form of filters. They are part of the page's URL, so the URL can be sent to others. */
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

/** A button for an action. Errors are shown at the top of the page. */
export function button(name, text, work, label = text) {
    const made = make("button", { className: "quiet", type: "button", "data-act": name, "aria-label": label }, text);
    made.addEventListener("click", async () => {
        try { await work(); } catch (error) { trouble(error.message); }
    });
    return made;
}

/**
 * A dialog that asks before an action. The action runs when the button with its name is pressed. `fields` are between the text and the
 * buttons. An error of `act` is shown in the dialog, which then stays open. It closes if `act` returns anything but false.
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

/** A list of facts: pairs of a name and a value. */
export const facts = (...pairs) => make("dl", { className: "about" }, ...pairs.flatMap(([name, value]) => [make("dt", {}, name), make("dd", { "data-name": name }, value)]));

/** Replaces the rows. A focused button or link of them keeps the focus. */
export function replace(body, ...children) {
    const focused = document.activeElement?.dataset.act;
    const place = document.activeElement?.closest?.(".wide")?.scrollLeft;
    body.replaceChildren(...children);
    if (place) { body.querySelector(".wide")?.scrollTo({ left: place }); }
    if (focused) { body.querySelector(`[data-act="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true }); }
}

export const megabytes = (bytes) => number(Math.round(bytes / 1_048_576)) + " MB";

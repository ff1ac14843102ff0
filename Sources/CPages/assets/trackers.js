// The trackers of the account, without positions.
import { make, number, often, plural, read } from "./app.js";
import { mark } from "./marks.js";
import { time } from "./lanes.js";

/** How long ago a moment was. */
export const ago = (text) => text ? `${time(Math.max(0, (Date.now() - Date.parse(text)) / 1_000))} ago` : "none yet";

export const switched = (tracker) => make("span", { className: "state" }, mark(tracker.tracking ? { colour: "sure", shape: "circle" } : { colour: "none", shape: "square" }), tracker.tracking ? "on" : "off");

export function show(main, person) {
    const lead = make("p", { className: "lead" });
    const [body, more] = [make("div", { className: "below" }), make("button", { className: "quiet", type: "button", hidden: "" }, "Show more")];
    main.append(make("div", { className: "sheet" }, make("h1", {}, "Trackers"), lead, body, make("p", { className: "below" }, more)));
    if (!person.scopes.includes("locate")) {
        lead.textContent = "Who has the scope locate sees the trackers.";
        return;
    }
    let pages = 1;
    const look = async () => {
        const found = [];
        let after = "";
        for (let page = 0; page < pages && after !== null; page++) {
            const answer = await read(`/v1/trackers?add=counts&limit=100${after ? `&after=${encodeURIComponent(after)}` : ""}`);
            found.push(...answer.data);
            after = answer.next_after;
        }
        more.hidden = after === null;
        lead.textContent = found.length ? `${plural(found.length, "tracker", "trackers")}${after === null ? "" : " and more"} of the account ${person.account}, ${number(found.filter((one) => one.tracking).length)} on` : "";
        const focused = document.activeElement?.dataset?.user;
        body.replaceChildren(found.length ? table(found) : make("p", { className: "lead" }, "Nobody has a tracker. ", make("code", {}, `waypost trackers start USER --account ${person.account}`), " makes one."));
        if (focused) { body.querySelector(`a[data-user="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true }); }
        document.documentElement.dataset.trackers = found.length;
    };
    more.addEventListener("click", () => {
        pages++;
        look();
    });
    return often(look, 3_000);
}

function table(trackers) {
    const amount = (name, value) => make("td", { className: "amount", "data-name": name }, value);
    const rows = trackers.map((tracker) => make("tr", { "data-tracker": tracker.user },
        make("th", { scope: "row" }, make("a", { href: `/trackers/${encodeURIComponent(tracker.user)}`, "data-user": tracker.user }, tracker.user)),
        make("td", {}, switched(tracker), tracker.switched_at ? make("small", {}, `since ${ago(tracker.switched_at).replace(" ago", "")}`) : null),
        make("td", {}, ago(tracker.last_fix_at)),
        amount("locations", number(tracker.locations)),
        amount("due", tracker.sink ? number(tracker.due) : "–"),
        amount("refused", tracker.sink ? number(tracker.refused) : "–"),
        make("td", {}, tracker.sink ?? "none", { missing: make("small", {}, "not signed in: only stored"), refused: make("small", {}, "the sign-in was refused") }[tracker.sign_in])));
    return make("div", { className: "wide", tabindex: "0", role: "region", "aria-label": "Trackers" }, make("table", { className: "plain" },
        make("thead", {}, make("tr", {}, ...["user", "tracking", "last fix", "locations", "to upload", "refused", "sink"].map((title, place) =>
            make("th", { scope: "col", className: place > 2 && place < 6 ? "amount" : "" }, title)))),
        make("tbody", {}, ...rows)));
}

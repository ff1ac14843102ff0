// The trackers of the account, without positions.
import { make, number, often, plural, read, time } from "./app.js";
import { amount, cell, replace, sheet, small, state, table } from "./parts.js";

/** How long ago a moment was. */
export const ago = (text) => text ? `${time(Math.max(0, (Date.now() - Date.parse(text)) / 1_000))} ago` : "none yet";

export const switched = (tracker) => tracker.tracking ? state("good", "on") : state("past", "off");

export function show(main, person) {
    const { lead, body } = sheet(main, "Trackers");
    const more = make("button", { className: "quiet", type: "button", hidden: "" }, "Show more");
    body.after(make("p", { className: "below" }, more));
    if (!person.scopes.includes("locate")) {
        lead.textContent = 'This page needs the scope "locate".';
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
        replace(body, trackerTable(found, person));
        document.documentElement.dataset.trackers = found.length;
    };
    more.addEventListener("click", () => {
        pages++;
        look();
    });
    return often(look, 3_000);
}

function trackerTable(trackers, person) {
    return table("Trackers", ["user", "tracking", "last fix", "#locations", "#to upload", "#refused", "sink"], trackers.map((tracker) => make("tr", { "data-tracker": tracker.user },
        make("th", { scope: "row" }, make("a", { href: `/trackers/${encodeURIComponent(tracker.user)}`, "data-user": tracker.user, "data-act": `open ${tracker.user}` }, tracker.user)),
        cell(switched(tracker), small(tracker.switched_at ? `since ${ago(tracker.switched_at).replace(" ago", "")}` : "")),
        cell(ago(tracker.last_fix_at)), amount("locations", number(tracker.locations)),
        amount("due", tracker.sink ? number(tracker.due) : "–"), amount("refused", tracker.sink ? number(tracker.refused) : "–"),
        cell(tracker.sink ?? "none", small({ missing: "not signed in: only stored", refused: "the sign-in was refused" }[tracker.sign_in])))),
        ["There are no trackers. ", make("code", {}, `waypost trackers start USER --account ${person.account}`), " starts one."]);
}

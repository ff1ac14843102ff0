// The contacts of the account: a list with a search, and one friend with the addresses on a map.
import { Canvas } from "./canvas.js";
import { precisionWord } from "./marks.js";
import { afterTyping, at, make, number, often, plural, read, send, trouble } from "./app.js";
import { credit, ground, near, nearest } from "./ground.js";
import { button, cell, choice, facts, field, filter, filters, once, replace, sheet, small, state, table } from "./parts.js";

const words = {
    waiting: ["calm", "waiting"], located: ["good", "located"], needs_review: ["wrong", "to be reviewed"], not_found: ["past", "not found"],
    failed: ["wrong", "failed"], forgotten: ["past", "forgotten"],
};

export function show(main, person) {
    const id = location.pathname.split("/")[2];
    return id ? one(main, person, id) : all(main, person);
}

const line = (address) => [address.street, address.postcode, address.city, address.region, address.country].filter(Boolean).join(", ");

// ---- The list

function all(main, person) {
    const { lead, body } = sheet(main, "Contacts");
    const list = make("div", {});
    let [loaded, turns] = [[], 0];
    const load = async (after = 0) => {
        const turn = ++turns;
        const query = new URLSearchParams({ limit: 50, after });
        for (const name of ["query", "status"]) { if (filter(name)) { query.set(name, filter(name)); } }
        const page = await read("/v1/friends?" + query);
        // A newer search has started meanwhile.
        if (turn !== turns) { return; }
        loaded = after ? [...loaded, ...page.data] : page.data;
        lead.textContent = `${plural(loaded.length, "contact", "contacts")}${page.next_after ? " and more" : ""} of the account ${person.account}`;
        const more = page.next_after ? button("more", "Show more", () => load(page.next_after)) : null;
        replace(list, rows(loaded), make("p", { className: "after" }, more));
        document.documentElement.dataset.contacts = loaded.length;
    };
    const form = filters("Filter contacts", () => load().catch((error) => trouble(error.message)),
        field("Name", { id: "search", name: "query", type: "search", value: filter("query"), placeholder: "Part of the name", autocomplete: "off" }),
        choice("Status", "status", [["", "all"], ...Object.entries(words).map(([name, [, text]]) => [name, text])], filter("status")));
    form.addEventListener("input", afterTyping(() => form.requestSubmit()));
    body.append(form, list);
    return once(load);
}

function rows(friends) {
    return table("Contacts", ["name", "addresses", "from"], friends.map((friend) => make("tr", { "data-friend": friend.id },
        make("th", { scope: "row" }, make("a", { href: `/contacts/${friend.id}`, "data-act": `open ${friend.id}` }, friend.name || "without a name")),
        make("td", { className: "text" }, ...friend.addresses.map((address) => make("div", {}, state(...words[address.status]), small([address.label, line(address)].filter(Boolean).join(": "))))),
        cell(friend.feed.startsWith("once:") ? "a file" : friend.feed || "the API"))),
        filter("query") || filter("status") ? "No contact matches the filter." : ["There are no contacts yet. ", make("code", {}, "waypost import FILE"), " imports some."]);
}

// ---- One friend

async function one(main, person, id) {
    const side = make("section", { className: "side question", "aria-label": "The contact", id: "friend" });
    main.append(make("div", { className: "atlas review" }, side, make("div", { id: "map", role: "application", "aria-label": "Map of the addresses" })));
    const map = L.map("map", { minZoom: 1, maxZoom: nearest(person), zoomControl: false, attributionControl: false, fadeAnimation: false });
    L.control.zoom({ position: "topright" }).addTo(map);
    L.control.attribution({ prefix: false }).addTo(map).addAttribution(credit(person) + " · towns: GeoNames");
    L.control.scale({ position: "bottomright" }).addTo(map);
    map.setView([30, 10], 2);
    ground(map, person).then((towns) => {
        if (towns) { new Canvas((context, view) => towns(context, view, []), { pane: "tilePane" }).addTo(map); }
    });
    const signs = L.layerGroup().addTo(map);
    let [shown, said] = ["", ""];

    const load = async (isForced = false) => {
        const friend = await read(`/v1/friends/${encodeURIComponent(id)}?add=matched_address`).catch((error) => {
            if (error.status === 404 || error.status === 400) { return null; }
            throw error;
        });
        const text = JSON.stringify(friend);
        if (text === shown && !isForced) { return; }
        const isFirst = !shown;
        shown = text;
        if (!friend) { return side.replaceChildren(make("h1", {}, "No such contact"), make("p", { className: "soft" }, "No contact has this number. It may have been removed. ", make("a", { href: "/contacts" }, "All contacts"))); }
        document.title = `${friend.name} · Waypost`;
        replace(side, make("p", { className: "soft" }, make("a", { href: "/contacts" }, "Contacts")), make("h1", { className: "asked" }, friend.name || "without a name"),
            make("p", { className: "soft" }, [plural(friend.addresses.length, "address", "addresses"), friend.nickname && `nickname ${friend.nickname}`, friend.feed && !friend.feed.startsWith("once:") && `from ${friend.feed}`].filter(Boolean).join(", ")),
            make("ol", { className: "candidates" }, ...friend.addresses.map((address, place) => make("li", { "data-address": address.id }, card(address, place)))),
            make("p", { className: "soft", role: "status" }, said));
        signs.clearLayers();
        const places = friend.addresses.flatMap((address, place) => address.place ? [[place, [address.place.latitude, address.place.longitude]]] : []);
        for (const [place, position] of places) {
            L.marker(position, { icon: L.divIcon({ className: "", iconSize: [26, 26], html: make("span", { className: "sign" }, place + 1) }), keyboard: false, alt: `address ${place + 1}` }).addTo(signs);
        }
        if (isFirst && places.length) { map.fitBounds(places.map(([, position]) => position), { padding: [60, 60], maxZoom: near(person), animate: false }); }
        document.documentElement.dataset.places = places.length;
    };

    /** A card for an address, with its number on the map and its place. */
    function card(address, place) {
        const { place: found } = address;
        return make("article", { className: "address" }, make("span", { className: "sign" }, place + 1), make("div", {},
            make("h2", {}, address.label || "address"), make("p", {}, line(address)),
            facts(["status", state(...words[address.status])], ...[["reason", address.reason], ["found", address.matched_address], ["precision", precisionWord(found?.precision)],
                ["confidence", found?.confidence?.toFixed(2)], ["area confidence", found?.area_confidence?.toFixed(2)], ["provider", found?.provider], ["position", found && `${found.latitude}, ${found.longitude}`]].filter(([, value]) => value)), again(address)));
    }

    /** A button that asks one address again. */
    function again(address) {
        if (!person.scopes.includes("write")) { return null; }
        return button(`again ${address.id}`, "Ask again", async () => {
            const { addresses: count } = await send("POST", `/v1/addresses/${address.id}/retry`);
            said = count ? "The address is asked again. The old place stays until the answer." : "A person decided this place, so it is not asked again.";
            await load(true);
        }, `Ask again for ${address.label || "the address"}`);
    }
    return often(load, 3_000);
}

// The page of an exported map. It contains the places.
import { across, Canvas, down, townPainter, worldPainter } from "./canvas.js";
import { gathered, groupAt, isGiven, mark, paintGroups, precisionWord, providerScale, scales } from "./marks.js";
import { List } from "./list.js";

const at = (id) => document.getElementById(id);
const number = (value) => value.toLocaleString("en");
const plural = (count, one, many) => number(count) + " " + (count === 1 ? one : many);

const data = JSON.parse(at("places").textContent);
at("places").remove();
const column = Object.fromEntries(data.columns.map((name, place) => [name, place]));

const places = data.rows.map((row, place) => {
    const get = (name) => row[column[name]] ?? "";
    const [latitude, longitude] = [row[column.latitude], row[column.longitude]];
    const isThere = typeof latitude === "number" && typeof longitude === "number";
    return {
        row, number: place, isThere, name: get("name"), label: get("label"), provider: get("provider"), precision: get("precision"),
        status: get("status"), confidence: row[column.confidence] ?? null, area_confidence: row[column.area_confidence] ?? null, latitude, longitude,
        x: isThere ? across(longitude) : 0, y: isThere ? down(latitude) : 0,
        address: ["street", "postcode", "city", "region", "country"].map(get).filter(Boolean).join(", "),
    };
});
data.rows = null;

const providers = {};
for (const place of places) { if (place.isThere) { providers[place.provider] = (providers[place.provider] ?? 0) + 1; } }
scales.provider = providerScale(providers);
const nowhere = { name: "No place", note: "not found, or in doubt", colour: "none", shape: "cross" };

const statusWords = {
    waiting: "waits", needs_review: "to be reviewed", not_found: "not found", failed: "failed", forgotten: "forgotten", located: "located",
};

let scale = scales.precision;
let classes = [...scale.classes, nowhere];
function classify() {
    for (const place of places) { place.kind = place.isThere ? scale.of(place) : classes.length - 1; }
}
classify();
const hidden = new Set();
let words = [];
let shown = places;
let located = places.filter((place) => place.isThere);
const locatedCount = located.length;
let groups = [];
let chosen = null;

// The map.

const map = L.map("map", {
    minZoom: 1, maxZoom: 16, zoomSnap: 0.5, worldCopyJump: true, maxBounds: [[-86, -Infinity], [86, Infinity]],
    zoomControl: false, attributionControl: false, fadeAnimation: false,
});
L.control.zoom({ position: "topright" }).addTo(map);
const sources = [...data.attribution, "borders: Natural Earth"].filter((text, place, all) => all.indexOf(text) === place);
L.control.attribution({ prefix: false }).addTo(map).addAttribution(safe(sources.join(" · ")));
L.control.scale({ position: "bottomright" }).addTo(map);
at("sources").textContent = "Made with Waypost. " + sources.join(" · ") + ". The map is drawn by Leaflet.";

function safe(text) {
    const element = document.createElement("span");
    element.textContent = text;
    return element.innerHTML;
}

const everywhere = (items) => {
    const there = items.filter((place) => place.isThere);
    let [south, north, west, east] = [90, -90, 180, -180];
    for (const { latitude, longitude } of there) {
        south = Math.min(south, latitude);
        north = Math.max(north, latitude);
        west = Math.min(west, longitude);
        east = Math.max(east, longitude);
    }
    return there.length ? [[Math.max(south, -60), west], [Math.min(north, 80), east]] : [[-50, -130], [65, 150]];
};

function fit(items, options = {}) {
    map.fitBounds(everywhere(items), { padding: [36, 36], maxZoom: 9, animate: false, ...options });
}
fit(places);
const world = JSON.parse(at("world").textContent);
const ground = new Canvas(worldPainter(world), { pane: "tilePane" }).addTo(map);
const paintTowns = townPainter(world);
const layer = new Canvas((context, view) => {
    groups = gathered(located, view);
    paintTowns(context, view, groups);
    paintGroups(context, groups, classes, chosen);
    document.documentElement.dataset.drawn = distinct(groups);
}).addTo(map);

/** The number of distinct places: if the world is visible twice, each place is too. */
function distinct(groups) {
    const round = {};
    let count = 0;
    for (const { points } of groups) {
        for (const place of points) {
            if (place.round !== round) { count++; }
            place.round = round;
        }
    }
    return count;
}

function groupUnder(event) {
    const corner = layer._bounds.min;
    return groupAt(groups, event.layerPoint.x - corner.x, event.layerPoint.y - corner.y);
}

map.on("click", (event) => {
    const group = groupUnder(event);
    if (!group) { return choose(null); }
    if (group.count === 1) { return choose(group.points[0], true); }
    const [south, north] = everywhere(group.points);
    const isOnePlace = map.project(south, 16).distanceTo(map.project(north, 16)) < 14 || map.getZoom() >= 16;
    if (isOnePlace) { open(several(group.points), group.points[0]); } else { fit(group.points, { maxZoom: 16, animate: true }); }
});
map.on("mousemove", (event) => { map.getContainer().style.cursor = groupUnder(event) ? "pointer" : ""; });
map.on("moveend", () => { if (at("near").checked) { narrow(); } });

// The facts about a place.

function open(content, place) {
    L.popup({ offset: [0, -4], maxWidth: 340 }).setLatLng([place.latitude, place.longitude]).setContent(content).openOn(map);
}

function element(name, text = "", ...children) {
    const made = document.createElement(name);
    made.textContent = text;
    made.append(...children);
    return made;
}

const titles = {
    matched_address: "found", precision: "precision", confidence: "confidence", area_confidence: "area confidence", provider: "provider", reason: "reason", key: "key",
};

function about(place) {
    const facts = element("dl");
    const fact = (title, value) => { if (value !== "" && value !== null) { facts.append(element("dt", title), element("dd", "", value)); } };
    fact("address", place.address);
    if (!place.isThere) { fact("status", statusWords[place.status] ?? place.status); }
    for (const [name, title] of Object.entries(titles)) {
        fact(title, name.endsWith("confidence") ? place[name]?.toFixed(2) ?? "" : String(place.row[column[name]] ?? ""));
    }
    const said = ["name", "label", "street", "city", "region", "postcode", "country", "status", "latitude", "longitude", "first_name", "last_name"];
    for (const name of data.columns) {
        if (!(name in titles) && !said.includes(name)) { fact(name.replaceAll("_", " "), String(place.row[column[name]] ?? "")); }
    }
    if (place.isThere) {
        const link = element("a", `${place.latitude}, ${place.longitude}`);
        link.href = `geo:${place.latitude},${place.longitude}`;
        fact("position", link);
    }
    const card = element("div", "", element("h2", place.name || place.address, ...place.label ? [element("small", place.label)] : []), facts);
    card.className = "popup";
    return card;
}

function several(points) {
    const list = element("ul");
    for (const place of points.slice(0, 100)) {
        const button = element("button", "", mark(classes[place.kind]), element("span", place.name || place.address));
        button.type = "button";
        button.addEventListener("click", () => choose(place, true));
        list.append(element("li", "", button));
    }
    if (points.length > 100) { list.append(element("li", `and ${number(points.length - 100)} more`)); }
    const card = element("div", "", element("h2", plural(points.length, "address here", "addresses here")), list);
    card.className = "popup";
    return card;
}

function choose(place, isOnMap = false) {
    chosen = place;
    list.mark(place);
    map.closePopup();
    if (place?.isThere) {
        if (!isOnMap) {
            const closest = { postcode: 8, city: 7, region: 5, country: 4 }[place.precision] ?? 9;
            map.setView([place.latitude, place.longitude], Math.max(map.getZoom(), closest), { animate: false });
        }
        open(about(place), place);
    } else if (place) {
        L.popup({ closeButton: true, maxWidth: 340 }).setLatLng(map.getCenter()).setContent(about(place)).openOn(map);
    }
    layer.refresh();
}

// The list, and its filters.

const list = new List(at("rows"), (place) => {
    const name = element("span", place.name || place.address, ...place.label ? [element("small", place.label)] : []);
    name.className = "who";
    const address = element("span", place.address);
    address.className = "where";
    const grade = element("span", !place.isThere ? statusWords[place.status] ?? place.status
        : scale === scales.provider ? place.provider : isGiven(place.provider) ? "given" : precisionWord(place.precision));
    grade.className = "grade";
    return [mark(classes[place.kind]), element("span", "", name, address), grade];
}, (place) => choose(place));

const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
const textOf = (place) => place.text ??= plain([place.name, place.label, place.address, place.row[column.matched_address] ?? "",
    place.row[column.nickname] ?? "", place.provider, place.row[column.key] ?? ""].join("\n"));

/** Updates the shown places from the words, the classes, and optionally the view. */
function narrow() {
    shown = words.length ? places.filter((place) => words.every((word) => textOf(place).includes(word))) : places;
    legend();
    if (hidden.size) { shown = shown.filter((place) => !hidden.has(place.kind)); }
    located = shown.filter((place) => place.isThere);
    let rows = shown;
    if (at("near").checked) {
        const bounds = map.getBounds();
        rows = shown.filter((place) => place.isThere && bounds.contains([place.latitude, place.longitude]));
    }
    list.show(rows);
    at("found").textContent = rows.length === places.length ? "" : rows.length ? `${number(rows.length)} of ${plural(places.length, "address", "addresses")}`
        : "No address matches. Search for less, or show more classes.";
    layer.refresh();
}

function legend() {
    const counts = classes.map(() => 0);
    for (const place of shown) { counts[place.kind]++; }
    const buttons = classes.map((kind, place) => {
        const name = element("span", kind.name, ...kind.note ? [element("small", kind.note)] : []);
        name.className = "name";
        const count = element("span", number(counts[place]));
        count.className = "count";
        const button = element("button", "", mark(kind), name, count);
        button.type = "button";
        button.setAttribute("aria-pressed", String(!hidden.has(place)));
        button.addEventListener("click", () => {
            if (!hidden.delete(place)) { hidden.add(place); }
            narrow();
            at("legend").querySelectorAll("button")[shownClasses.indexOf(place)]?.focus();
        });
        return button;
    });
    const all = classes.map(() => 0);
    for (const place of places) { all[place.kind]++; }
    const shownClasses = classes.map((_, place) => place).filter((place) => all[place]);
    at("legend").replaceChildren(at("legend").firstElementChild, ...shownClasses.map((place) => buttons[place]));
}

let wait;
at("search").addEventListener("input", () => {
    clearTimeout(wait);
    wait = setTimeout(() => {
        words = plain(at("search").value).split(/\s+/).filter(Boolean);
        narrow();
    }, places.length > 20_000 ? 150 : 30);
});
at("search").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && shown.length) { fit(shown); }
});
at("near").addEventListener("change", narrow);
at("scale").addEventListener("change", () => {
    scale = scales[at("scale").value];
    classes = [...scale.classes, nowhere];
    hidden.clear();
    classify();
    narrow();
});

// Dark, light and paper.

const repaint = () => { ground.refresh(); layer.refresh(); };
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);

const LONGEST_SHEET = 2_000;
addEventListener("beforeprint", () => {
    const rows = shown.slice(0, LONGEST_SHEET).map((place) => element("tr", "", element("td", place.name), element("td", place.address),
        element("td", place.isThere ? [place.confidence?.toFixed(2), precisionWord(place.precision)].filter(Boolean).join(" · ") : statusWords[place.status] ?? place.status)));
    if (shown.length > LONGEST_SHEET) { rows.push(element("tr", "", element("td", `and ${number(shown.length - LONGEST_SHEET)} more`))); }
    const head = element("thead", "", element("tr", "", ...["Name", "Address", "Place"].map((name) => element("th", name))));
    at("sheet").replaceChildren(head, element("tbody", "", ...rows));
    document.documentElement.classList.add("paper");
    map.invalidateSize({ animate: false });
    repaint();
});
addEventListener("afterprint", () => {
    document.documentElement.classList.remove("paper");
    at("sheet").replaceChildren();
    map.invalidateSize({ animate: false });
    repaint();
});

at("title").textContent = plural(places.length, "address", "addresses");
at("sum").textContent = locatedCount === places.length ? "all on the map" : `${number(locatedCount)} on the map, ${number(places.length - locatedCount)} without a place`;
document.title = `Map of ${plural(places.length, "address", "addresses")}`;
narrow();
document.documentElement.dataset.ready = places.length;

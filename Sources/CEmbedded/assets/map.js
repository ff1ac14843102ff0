// The map of located addresses, with a search for names. For a large account the server returns a fair sample, and its share.
import { across, Canvas, down } from "./canvas.js";
import { afterTyping, at, make, number, plural, read, trouble } from "./app.js";
import { credit, ground, near, nearest } from "./ground.js";
import { gathered, groupAt, isGiven, mark, paintGroups, precisionWord, providerScale, scales } from "./marks.js";
import { List } from "./list.js";

const MOST = 2_000;

export async function show(main, person) {
    main.append(make("div", { className: "atlas" },
        make("section", { className: "side", "aria-label": "Places in view" },
            make("div", { className: "top" },
                make("h1", { id: "title" }, "Map"),
                make("label", {}, make("span", { className: "unseen" }, "Search for a name"),
                    make("input", { id: "search", type: "search", placeholder: "Search for a name", autocomplete: "off" })),
                make("div", { className: "choice" }, make("label", {}, "Colour by ", make("select", { id: "scale" },
                    ...["precision", "provider"].map((name) => make("option", { value: name }, name))))),
                make("fieldset", { className: "legend", id: "legend" }, make("legend", { className: "unseen" }, "Shown on the map"))),
            make("div", { className: "rows", id: "rows" })),
        make("div", { id: "map", role: "application", "aria-label": "Map" })));

    let [places, shown, groups, classes, scale, share, chosen] = [[], [], [], scales.precision.classes, scales.precision, 1, null];
    // The text of the search, and whether all matching places of the world are loaded.
    let [query, hasAll] = ["", false];
    const hidden = new Set();

    const map = L.map("map", {
        minZoom: 1, maxZoom: nearest(person), zoomSnap: 0.5, worldCopyJump: true, maxBounds: [[-86, -Infinity], [86, Infinity]],
        zoomControl: false, attributionControl: false, fadeAnimation: false,
    });
    L.control.zoom({ position: "topright" }).addTo(map);
    const credits = L.control.attribution({ prefix: false }).addTo(map);
    L.control.scale({ position: "bottomright" }).addTo(map);
    const kept = (location.hash.match(/^#(-?[\d.]+)\/(-?[\d.]+)\/([\d.]+)$/) ?? []).slice(1).map(Number);
    if (kept.length) { map.setView([kept[0], kept[1]], kept[2]); } else { map.fitBounds([[-50, -130], [68, 150]], { animate: false }); }

    const layer = new Canvas((context, view) => {
        groups = gathered(shown, view);
        // In a sample, a ring shows the estimated number of places.
        for (const group of groups) { group.count = rounded(group.count); }
        paintTowns?.(context, view, groups);
        paintGroups(context, groups, classes, chosen);
        document.documentElement.dataset.drawn = shown.length;
    });
    let paintTowns = null;
    ground(map, person).then((towns) => {
        paintTowns = towns;
        layer.refresh();
    });
    layer.addTo(map);

    const list = new List(at("rows"), (place) => {
        const name = make("span", { className: "who" }, place.name, place.label ? make("small", {}, place.label) : null);
        const where = make("span", { className: "where" }, [precisionWord(place.precision), place.provider].filter(Boolean).join(" · "));
        return [mark(classes[place.kind]), make("span", {}, name, where), make("span", { className: "grade" }, isGiven(place.provider) ? "given" : place.confidence?.toFixed(2) ?? "–")];
    }, (place) => choose(place));

    let request = null;
    async function load(isWorld = false) {
        const bounds = map.getBounds().pad(0.2);
        const isWhole = isWorld || bounds.getEast() - bounds.getWest() >= 360;
        const turn = (longitude) => ((longitude + 180) % 360 + 360) % 360 - 180;
        const degrees = (value) => String(Number(value.toFixed(5)));
        const box = [isWhole ? -180 : turn(bounds.getWest()), isWorld ? -90 : Math.max(-90, bounds.getSouth()), isWhole ? 180 : turn(bounds.getEast()), isWorld ? 90 : Math.min(90, bounds.getNorth())];
        request?.abort();
        request = new AbortController();
        try {
            const found = await read(`/v1/places?limit=${MOST}&bbox=${box.map(degrees).join(",")}${query && "&query=" + encodeURIComponent(query)}`, { signal: request.signal });
            hasAll = isWorld && found.share === 1;
            take(found);
            trouble("");
        } catch (error) {
            if (error.name !== "AbortError") { trouble(error.message); }
        }
    }

    function take(found) {
        share = found.share;
        places = found.features.map(({ id, geometry, properties }) => {
            const [longitude, latitude] = geometry.coordinates;
            return { id, ...properties, latitude, longitude, count: 1 / share, x: across(longitude), y: down(latitude) };
        });
        credits.getContainer().textContent = [...found.attribution, credit(person)].join(" · ");
        const counts = {};
        for (const place of places) { counts[place.provider ?? ""] = (counts[place.provider ?? ""] ?? 0) + 1; }
        scales.provider = providerScale(counts);
        sort();
        document.documentElement.dataset.share = share;
    }

    function sort() {
        scale = scales[at("scale").value];
        classes = scale.classes;
        for (const place of places) { place.kind = Math.max(0, scale.of({ ...place, provider: place.provider ?? "" })); }
        narrow();
    }

    /** Shows the places of the whole account whose friends' names contain the text. */
    async function search() {
        query = at("search").value.trim();
        hasAll = false;
        await load(query !== "");
        if (query && places.length) { map.fitBounds(L.latLngBounds(places.map((place) => [place.latitude, place.longitude])), { padding: [60, 60], maxZoom: near(person), animate: false }); }
    }

    function narrow() {
        legend();
        shown = places.filter((place) => !hidden.has(place.kind));
        const where = hasAll ? "found" : "in view";
        at("title").textContent = share < 1 ? `About ${number(rounded(places.length / share))} places ${where}` : `${plural(places.length, "place", "places")} ${where}`;
        list.show(shown);
        layer.refresh();
    }

    function legend() {
        const counts = classes.map((_, kind) => places.filter((place) => place.kind === kind).length);
        const buttons = classes.map((kind, place) => {
            const button = make("button", { type: "button", "data-kind": place, "aria-pressed": String(!hidden.has(place)) }, mark(kind),
                make("span", { className: "name" }, kind.name, kind.note ? make("small", {}, kind.note) : null),
                make("span", { className: "count" }, share < 1 ? "≈ " + number(rounded(counts[place] / share)) : number(counts[place])));
            button.addEventListener("click", () => {
                if (!hidden.delete(place)) { hidden.add(place); }
                narrow();
                at("legend").querySelector(`[data-kind="${place}"]`)?.focus();
            });
            return button;
        });
        at("legend").replaceChildren(at("legend").firstElementChild, ...buttons.filter((_, kind) => counts[kind]));
    }

    async function choose(place) {
        chosen = place;
        list.mark(place);
        layer.refresh();
        map.closePopup();
        if (!place) { return; }
        const card = make("div", { className: "popup" }, make("h2", {}, make("a", { href: `/contacts/${place.friend}` }, place.name), place.label ? make("small", {}, place.label) : null));
        L.popup({ offset: [0, -4], maxWidth: 340 }).setLatLng([place.latitude, place.longitude]).setContent(card).openOn(map);
        const facts = make("dl", {});
        const fact = (title, value) => { if (value) { facts.append(make("dt", {}, title), make("dd", {}, value)); } };
        const friend = await read(`/v1/friends/${place.friend}?add=matched_address,reason`).catch(() => null);
        const address = friend?.addresses?.find((one) => one.id === place.id);
        if (address) {
            fact("address", ["street", "postcode", "city", "region", "country"].map((name) => address[name]).filter(Boolean).join(", "));
            fact("found", address.matched_address);
            fact("reason", address.reason);
        }
        fact("precision", precisionWord(place.precision));
        fact("confidence", place.confidence?.toFixed(2));
        fact("area confidence", place.area_confidence?.toFixed(2));
        fact("provider", place.provider);
        fact("position", `${place.latitude}, ${place.longitude}`);
        card.append(facts);
    }

    const groupUnder = (event) => {
        const corner = layer._bounds.min;
        return groupAt(groups, event.layerPoint.x - corner.x, event.layerPoint.y - corner.y);
    };
    map.on("click", (event) => {
        const group = groupUnder(event);
        if (!group || group.points.length === 1) { return choose(group?.points[0] ?? null); }
        const bounds = L.latLngBounds(group.points.map((place) => [place.latitude, place.longitude]));
        const isOnePlace = map.getZoom() >= 16 || bounds.getNorth() - bounds.getSouth() < 1e-5 && bounds.getEast() - bounds.getWest() < 1e-5;
        if (isOnePlace) { choose(group.points[0]); } else { map.fitBounds(bounds, { padding: [36, 36], maxZoom: 16 }); }
    });
    map.on("mousemove", (event) => { map.getContainer().style.cursor = groupUnder(event) ? "pointer" : ""; });
    map.on("moveend", () => {
        const { lat, lng } = map.getCenter();
        history.replaceState(null, "", `#${lat.toFixed(4)}/${lng.toFixed(4)}/${map.getZoom()}`);
        if (!hasAll) { load(); }
    });
    at("search").addEventListener("input", afterTyping(search));
    at("scale").addEventListener("change", () => {
        hidden.clear();
        sort();
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => map.fire("viewreset"));
    await load();
}

/** Rounds to two digits, because more would be false precision. */
function rounded(count) {
    if (count < 100) { return Math.round(count); }
    const unit = 10 ** (Math.floor(Math.log10(count)) - 1);
    return Math.round(count / unit) * unit;
}

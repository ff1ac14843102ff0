// One user's track on the map, with the stays. New locations appear at once.
import { across, Canvas, colours, copies, down } from "./canvas.js";
import { at, make, number, often, plural, read, time, watch } from "./app.js";
import { credit, ground, nearest } from "./ground.js";
import { List } from "./list.js";
import { mark } from "./marks.js";
import { ago, switched } from "./trackers.js";

const MOST = 20_000;
const spans = { day: 86_400, week: 7 * 86_400, month: 30 * 86_400, all: null };
const kinds = {
    stored: { name: "stored", colour: "sure", shape: "circle" },
    uploaded: { name: "uploaded", colour: "sure", shape: "circle" },
    due: { name: "to upload", colour: "doubtful", shape: "circle" },
};
const moment = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", second: "2-digit" });

export async function show(main, person) {
    const user = decodeURIComponent(location.pathname.slice("/trackers/".length));
    const path = `/v1/trackers/${encodeURIComponent(user)}`;
    if (!person.scopes.includes("locate")) {
        main.append(make("div", { className: "sheet" }, make("h1", {}, "Tracker"), make("p", { className: "lead" }, 'This page needs the scope "locate".')));
        return;
    }
    let tracker = await read(path).catch((error) => {
        if (error.status === 404) { return null; }
        throw error;
    });
    if (!tracker) {
        main.append(make("div", { className: "sheet" }, make("h1", {}, user), make("p", { className: "lead" }, "This user has no tracker. ", make("a", { href: "/trackers" }, "All trackers"))));
        return;
    }
    document.title = `${user} · Waypost`;
    main.append(make("div", { className: "atlas" },
        make("section", { className: "side", "aria-label": "Stays" },
            make("div", { className: "top" }, make("p", { className: "soft" }, make("a", { href: "/trackers" }, "Trackers")), make("h1", {}, user), make("dl", { className: "facts", id: "facts" }),
                make("div", { className: "choice" }, make("label", {}, "Show ", make("select", { id: "span" },
                    ...Object.entries({ day: "the last day", week: "the last week", month: "the last month", all: "everything" }).map(([value, words]) => make("option", { value, ...value === "week" ? { selected: "" } : {} }, words)))), make("span", { id: "count" }))),
            make("div", { className: "rows", id: "rows" })),
        make("div", { id: "map", role: "application", "aria-label": "Map of the track" })));

    // Sorted by time, the newest last.
    let [stays, chosen, isMore, painted] = [[], null, false, []];
    const map = L.map("map", { minZoom: 1, maxZoom: nearest(person), zoomSnap: 0.5, zoomControl: false, attributionControl: false, fadeAnimation: false });
    L.control.zoom({ position: "topright" }).addTo(map);
    L.control.attribution({ prefix: false }).addTo(map).addAttribution(credit(person));
    L.control.scale({ position: "bottomright" }).addTo(map);
    map.setView([30, 10], 2);
    let towns = null;
    const layer = new Canvas((context, view) => {
        towns?.(context, view, []);
        painted = paintTrack(context, view, stays, chosen);
        document.documentElement.dataset.drawn = stays.length;
    });
    ground(map, person).then((painter) => {
        towns = painter;
        layer.refresh();
    });
    layer.addTo(map);
    const kind = (stay) => !tracker.sink ? kinds.stored : stay.uploaded ? kinds.uploaded : kinds.due;
    const list = new List(at("rows"), (stay) => [
        mark(kind(stay)),
        make("span", {}, make("span", { className: "who" }, moment.format(new Date(stay.timestamp))),
            make("span", { className: "where" }, stay.place ?? `${stay.lat.toFixed(5)}, ${stay.lng.toFixed(5)}`)),
        make("span", { className: "grade" }, stay.wait_time >= 1 ? time(stay.wait_time) : "passing")], choose);

    function facts() {
        const fact = (title, value) => [make("dt", {}, title), make("dd", {}, value)];
        const due = stays.filter((stay) => !stay.uploaded).length;
        at("facts").replaceChildren(...fact("tracking", switched(tracker)), ...fact("last fix", ago(tracker.last_fix_at)), ...fact("sink", tracker.sink ?? "none"),
            ...tracker.sink ? fact("to upload", `${number(due)} of these`) : []);
        at("count").textContent = (isMore ? "the first " : "") + plural(stays.length, "location", "locations");
    }

    function take(found, isFirst = false) {
        const known = new Map(stays.map((stay) => [stay.id, stay]));
        for (const stay of found) { known.set(stay.id, { ...stay, x: across(stay.lng), y: down(stay.lat), kind: kind(stay) }); }
        stays = [...known.values()].sort((one, other) => one.timestamp < other.timestamp ? -1 : one.timestamp > other.timestamp ? 1 : 0);
        if (chosen) { chosen = stays.find((stay) => stay.id === chosen.id) ?? null; }
        list.show(stays.length ? stays.slice().reverse() : []);
        if (!stays.length) { at("rows").querySelector("ol").replaceChildren(); }
        if (isFirst && stays.length) { map.fitBounds(L.latLngBounds(stays.map((stay) => [stay.lat, stay.lng])), { padding: [40, 40], maxZoom: 14, animate: false }); }
        layer.refresh();
        facts();
    }

    async function load() {
        const length = spans[at("span").value];
        // For a user without recent fixes, the span ends at the last fix.
        const end = Math.min(Date.now(), Date.parse(tracker.last_fix_at ?? new Date().toISOString()));
        const from = length === null ? "" : `&from=${new Date(end - length * 1_000).toISOString()}`;
        [stays, chosen, isMore] = [[], null, false];
        const found = [];
        for (let after = ""; after !== null && !isMore;) {
            const answer = await read(`${path}/locations?limit=5000${from}${after && `&after=${after}`}`);
            found.push(...answer.data);
            after = answer.next_after;
            isMore = after !== null && found.length >= MOST;
        }
        take(found, true);
    }

    function choose(stay) {
        chosen = stay;
        list.mark(stay);
        layer.refresh();
        map.closePopup();
        if (!stay) { return; }
        const end = new Date(Date.parse(stay.timestamp) + stay.wait_time * 1_000);
        const said = { from: moment.format(new Date(stay.timestamp)), until: stay.wait_time >= 1 ? moment.format(end) : "", place: stay.place, position: `${stay.lat}, ${stay.lng}`, accuracy: stay.accuracy === null ? "" : `${number(Math.round(stay.accuracy))} m`, sink: tracker.sink ? kind(stay).name : "" };
        L.popup({ offset: [0, -4], maxWidth: 320, autoPanPadding: [14, 14] }).setLatLng([stay.lat, stay.lng]).setContent(make("div", { className: "popup" },
            make("h2", {}, stay.wait_time >= 1 ? `Stayed ${time(stay.wait_time)}` : "Passed by"),
            make("dl", {}, ...Object.entries(said).filter(([, value]) => value).flatMap(([title, value]) => [make("dt", {}, title), make("dd", {}, value)])))).openOn(map);
    }

    map.on("click", ({ layerPoint }) => {
        const corner = layer._bounds.min;
        const [x, y] = [layerPoint.x - corner.x, layerPoint.y - corner.y];
        const near = painted.filter((one) => Math.hypot(one.x - x, one.y - y) <= one.size + 5);
        choose(near.at(-1)?.stay ?? null);
    });
    at("span").addEventListener("change", load);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => map.fire("viewreset"));
    await load();
    const look = async () => {
        tracker = await read(path);
        facts();
    };
    often(look, 5_000);
    return watch(`${path}/events`, "location", (stay) => {
        const last = stays.at(-1);
        // The first event repeats the location that was just read.
        if (!stay || last && last.id === stay.id && last.wait_time === stay.wait_time && last.uploaded === stay.uploaded) { return; }
        // The map follows the newest location only if the last one is in view.
        const isFollowed = last && map.getBounds().contains([last.lat, last.lng]);
        take([stay], !last);
        if (isFollowed && !map.getBounds().contains([stay.lat, stay.lng])) { map.panTo([stay.lat, stay.lng]); }
        look();
    });
}

/** Paints the track, with a circle for each stay: a longer stay has a larger one. Returns their positions. */
function paintTrack(context, view, stays, chosen) {
    const colour = colours();
    const painted = [];
    copies(view, (copy) => {
        const points = stays.map((stay) => ({ stay, x: (stay.x + copy) * view.scale - view.left, y: stay.y * view.scale - view.top, size: size(stay) }));
        context.lineJoin = "round";
        for (const [width, name] of [[5, "surface"], [2.2, "accent"]]) {
            context.beginPath();
            points.forEach((point, place) => {
                // The shorter way crosses the edge of the map.
                const isJump = place && Math.abs(point.stay.x - points[place - 1].stay.x) > 0.5;
                if (place && !isJump) { context.lineTo(point.x, point.y); } else { context.moveTo(point.x, point.y); }
            });
            context.strokeStyle = colour[name];
            context.lineWidth = width;
            context.stroke();
        }
        for (const point of points) {
            if (point.x < -40 || point.y < -40 || point.x > view.width + 40 || point.y > view.height + 40) { continue; }
            const isLast = point.stay === stays.at(-1);
            context.beginPath();
            context.arc(point.x, point.y, point.size, 0, 2 * Math.PI);
            context.fillStyle = colour[point.stay.kind.colour];
            context.fill();
            context.lineWidth = point.stay === chosen ? 3 : 1.5;
            context.strokeStyle = point.stay === chosen ? colour.ink : colour.surface;
            context.stroke();
            if (isLast) {
                context.beginPath();
                context.arc(point.x, point.y, point.size + 5, 0, 2 * Math.PI);
                context.lineWidth = 2;
                context.strokeStyle = colour.accent;
                context.stroke();
            }
            painted.push(point);
        }
    });
    return painted;
}

const size = (stay) => stay.wait_time < 60 ? 3.5 : Math.min(16, 4 + 1.6 * Math.log2(stay.wait_time / 60));

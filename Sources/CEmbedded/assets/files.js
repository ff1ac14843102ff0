// Geocodes a file: how its columns are read, its progress, its places on a map, and the file with places added.
import { across, Canvas, down } from "./canvas.js";
import { make, number, plural, read, time, trouble, watch } from "./app.js";
import { credit, ground, near, nearest } from "./ground.js";
import { gathered, groupAt, mark, paintGroups, precisionWord, scales } from "./marks.js";
import { button, facts, replace, sheet, table } from "./parts.js";

// A page with more rows would be slow.
const MOST = 20_000;
const statuses = { located: "located", needs_review: "in doubt", not_found: "not found", failed: "failed", forgotten: "forgotten", waiting: "wait" };

export async function show(main, person) {
    const { lead, body } = sheet(main, "Files");
    if (!person.scopes.includes("write")) {
        lead.textContent = 'The scope "write" is needed to geocode files.';
        return;
    }
    lead.textContent = "Add places to a list of addresses. The contacts are not stored.";
    const run = Number(new URLSearchParams(location.search).get("run"));
    return run > 0 ? follow(run, lead, body, person) : choose(lead, body, person);
}

// A file is chosen.

function choose(lead, body, person) {
    const input = make("input", { type: "file", className: "unseen", id: "file", accept: ".csv,.tsv,.tab,.txt,.xlsx,.xlsm,.ods,.vcf,.vcard" });
    const drop = make("label", { className: "drop", for: "file" }, make("strong", {}, "Drop a file here, or choose one"), make("span", {}, "CSV, TSV, Excel, OpenDocument or vCard, up to 32 MB"), input);
    const old = make("div", {});
    const take = (file) => { if (file) { understand({ file, changes: {}, country: "" }, lead, body, person); } };
    input.addEventListener("change", () => take(input.files[0]));
    for (const kind of ["dragenter", "dragover"]) {
        drop.addEventListener(kind, (event) => {
            event.preventDefault();
            drop.classList.add("is-over");
        });
    }
    drop.addEventListener("dragleave", () => drop.classList.remove("is-over"));
    drop.addEventListener("drop", (event) => {
        event.preventDefault();
        take(event.dataTransfer.files[0]);
    });
    body.replaceChildren(drop, old);
    return read("/v1/geocode/files").then(({ data }) => {
        if (!data.length) { return; }
        old.append(make("h2", {}, "Files of the last days"), table("Files", ["file", "#rows"], data.map((one) => make("tr", { "data-run": one.id },
            make("th", { scope: "row" }, make("a", { href: `/files?run=${one.id}` }, one.name)), make("td", { className: "amount" }, number(one.rows)))), ""));
    }, (error) => trouble(error.message));
}

// Its columns are shown, and their meanings may be changed.

/** The settings of a request, as `waypost geocode` has them. */
function query({ file, plan, changes, country }) {
    const settings = new URLSearchParams({ name: file.name });
    if (country) { settings.set("country", country); }
    const changed = Object.entries(changes);
    if (changed.length && plan.has_header) {
        settings.set("mapping", changed.map(([column, meaning]) => `${meaning || "-"} = ${plan.columns[column].name}`).join("\n"));
    } else if (changed.length) {
        settings.set("columns", plan.columns.map((column, place) => (changes[place] ?? column.meaning) || "-").join(","));
    }
    return settings;
}

async function send(path, state) {
    return read(`${path}?${query(state)}${path.endsWith("file") && path.includes("geocode") ? "&wait=0&run=true" : ""}`,
        { method: "POST", headers: { Accept: "application/json", "Content-Type": "application/octet-stream" }, body: state.file });
}

/** Reads the file again with these settings. A setting that can't be used is taken back. */
async function understand(state, lead, body, person, former = null) {
    lead.textContent = `Reading ${state.file.name} …`;
    body.inert = true;
    document.documentElement.dataset.file = "reading";
    let shown = former;
    try {
        shown = { ...state, plan: await send("/v1/plan/file", { ...state, plan: former?.plan }) };
        trouble("");
    } catch (error) {
        trouble([error.message, ...(error.errors ?? []).map((one) => `${one.field} ${one.detail}.`)].join(" "));
        lead.textContent = state.file.name;
    }
    body.inert = false;
    if (shown) { paintPlan(shown, lead, body, person); }
}

const range = ({ least, most }, text) => text(least) === text(most) ? text(most) : `${text(least)} to ${text(most)}`;

function paintPlan(state, lead, body, person) {
    const { file, plan, changes } = state;
    const again = (change) => understand({ ...state, ...change }, lead, body, person, state);
    lead.textContent = `${file.name}: ${plural(plan.rows, "row", "rows")}` + (plan.sheet ? ` of the sheet ${plan.sheet}` : "") + (plan.has_header || !plan.columns.length ? "" : ", without a header");
    const meanings = plan.columns.map((column, place) => {
        const words = [...new Set([column.meaning, ...plan.fields].filter(Boolean))];
        const select = make("select", { "aria-label": `Meaning of column ${column.name || place + 1}`, "data-column": place },
            ...[["", "ignored"], ...words.map((word) => [word, word])].map(([value, text]) => make("option", { value, selected: value === (column.meaning ?? "") ? "" : undefined }, text)));
        select.disabled = plan.has_header && !column.name.trim();
        select.addEventListener("change", () => again({ changes: { ...changes, [place]: select.value } }));
        return make("tr", { "data-name": column.name }, make("th", { scope: "row" }, column.name || `column ${place + 1}`), make("td", {}, select),
            make("td", { className: "text soft" }, plan.sample.map((row) => row[place] ?? "").filter(Boolean).slice(0, 3).join(" · ").slice(0, 120)));
    });
    const { distinct, known, calls, seconds, costs } = plan.plan;
    const country = make("input", { value: state.country, autocomplete: "off", placeholder: "none", "data-name": "country" });
    country.addEventListener("change", () => again({ country: country.value.trim() }));
    const go = make("button", { type: "button", className: "plain", "data-act": "go" }, "Geocode");
    go.addEventListener("click", async () => {
        go.disabled = true;
        try {
            const run = await send("/v1/geocode/file", state);
            history.replaceState(null, "", `/files?run=${run.id}`);
            await follow(run.id, lead, body, person);
        } catch (error) {
            trouble(error.message);
            go.disabled = false;
        }
    });
    body.replaceChildren(
        facts(["addresses", number(plan.plan.addresses) + (distinct < plan.plan.addresses ? `, ${number(distinct)} of them different` : "")], ["known already", number(known)], ["requests", range(calls, number)],
            ["time", seconds ? range(seconds, time) : plan.plan.new ? "without a limit" : "none"],
            ...Object.entries(costs).map(([currency, cost]) => ["cost", range(cost, (value) => `${value.toFixed(2)} ${currency}`)]),
            ...plan.refused_rows ? [["left out", plural(plan.refused_rows, "row", "rows")]] : []),
        make("p", { className: "after" }, go, button("other", "Another file", () => location.assign("/files"))),
        make("div", { className: "filters" }, make("label", {}, "Country of rows without one ", country)),
        ...plan.columns.length ? [make("h2", {}, "How the columns are read"), table("Columns", ["column", "meaning", "examples"], meanings, "")] : []);
    document.documentElement.dataset.file = "read";
}

// Its progress is shown, and then its places.

function follow(id, lead, body, person) {
    let isShown = false;
    const state = make("div", { "aria-live": "polite" });
    const result = make("div", {});
    body.replaceChildren(state, result);
    return watch(`/v1/geocode/files/${id}/events`, "progress", (run) => {
        lead.textContent = `${run.name}: ${run.state === "done" ? "every address has an answer" : `${number(run.done)} of ${plural(run.addresses, "address", "addresses")}`}`;
        const waits = run.waits_for.map((one) => one.lane).join(", ");
        const bar = make("progress", { max: Math.max(1, run.addresses), value: run.done, "aria-label": "Answered addresses" });
        const download = make("a", { className: "download", href: `/v1/geocode/files/${id}/result${run.state === "done" ? "" : "?partial=true"}`, download: "", "data-act": "download" },
            run.state === "done" ? "Download the file" : "Download what is there");
        const remove = button("remove", "Delete here", async () => {
            await read(`/v1/geocode/files/${id}`, { method: "DELETE" });
            location.assign("/files");
        });
        replace(state, bar, facts(...Object.entries(statuses).filter(([name]) => run.by_status[name]).map(([name, text]) => [text, number(run.by_status[name])]),
            ...run.weak ? [["of them weak", number(run.weak)]] : [], ...run.refused ? [["left out", plural(run.refused, "row", "rows")]] : [],
            ...run.state === "done" ? [] : [["time left", (run.done_in_seconds === null ? "unknown" : time(run.done_in_seconds)) + (waits && `, ${waits}`)]]),
        make("p", { className: "after" }, download, remove, button("other", "Another file", () => location.assign("/files"))));
        document.documentElement.dataset.file = run.state;
        if (run.state === "done" && !isShown) {
            isShown = true;
            if (run.addresses > MOST) { return result.replaceChildren(make("p", { className: "empty" }, `The map shows files of up to ${number(MOST)} addresses.`)); }
            read(`/v1/geocode/files/${id}/rows`).then((rows) => paintResult(rows, result, person), (error) => trouble(error.message));
        }
    });
}

/** The places of the rows. The columns of the file itself come first, and ours may have another name there. */
function placesOf([header, ...rows]) {
    const column = (name) => header.findLastIndex((other) => new RegExp(`^(waypost (\\d+ )?)?${name}$`).test(other));
    const ours = Object.fromEntries(["latitude", "longitude", "precision", "confidence", "area_confidence", "provider", "status", "matched_address", "weak", "reason", "attribution"].map((name) => [name, column(name)]));
    const own = header.slice(0, Math.min(...Object.values(ours).filter((place) => place >= 0)));
    return rows.map((row) => {
        const place = Object.fromEntries(Object.entries(ours).map(([name, at]) => [name, row[at] ?? ""]));
        const isThere = typeof place.latitude === "number" && typeof place.longitude === "number";
        return {
            ...place, isThere, own: own.map((name, at) => [name, row[at]]).filter(([, value]) => value !== "" && value !== undefined),
            x: isThere ? across(place.longitude) : 0, y: isThere ? down(place.latitude) : 0, area_confidence: place.area_confidence === "" ? null : place.area_confidence,
        };
    });
}

const nameOf = (place) => place.own.map(([, value]) => value).slice(0, 3).join(", ") || "row";

function paintResult(rows, result, person) {
    const places = placesOf(rows);
    const shown = places.filter((place) => place.isThere);
    for (const place of shown) { place.kind = Math.max(0, scales.precision.of(place)); }
    const doubts = places.filter((place) => place.status && place.status !== "located" || place.weak === true);
    const canvas = make("div", { id: "map", className: "file-map", role: "application", "aria-label": "Map of the file" });
    result.replaceChildren(make("h2", {}, plural(shown.length, "place", "places")), canvas);
    const map = L.map(canvas, { minZoom: 1, maxZoom: nearest(person), zoomSnap: 0.5, worldCopyJump: true, zoomControl: false, attributionControl: false, fadeAnimation: false });
    L.control.zoom({ position: "topright" }).addTo(map);
    const credits = L.control.attribution({ prefix: false }).addTo(map);
    credits.getContainer().textContent = [...new Set(shown.map((place) => place.attribution).filter(Boolean)), credit(person)].join(" · ");
    if (shown.length) {
        map.fitBounds(L.latLngBounds(shown.map((place) => [place.latitude, place.longitude])), { padding: [40, 40], maxZoom: near(person), animate: false });
    } else { map.setView([30, 10], 1.5); }
    let [groups, chosen, towns] = [[], null, null];
    const layer = new Canvas((context, view) => {
        groups = gathered(shown, view);
        towns?.(context, view, groups);
        paintGroups(context, groups, scales.precision.classes, chosen);
        document.documentElement.dataset.drawn = shown.length;
    });
    ground(map, person).then((painter) => {
        towns = painter;
        layer.refresh();
    });
    layer.addTo(map);

    const select = (place) => {
        chosen = place;
        layer.refresh();
        map.closePopup();
        if (!place) { return; }
        const list = make("dl", {});
        const fact = (title, value) => { if (value !== "" && value !== null) { list.append(make("dt", {}, title), make("dd", {}, String(value))); } };
        for (const [name, value] of place.own) { fact(name, value); }
        fact("found", place.matched_address);
        fact("precision", precisionWord(place.precision));
        fact("confidence", place.confidence);
        fact("provider", place.provider);
        fact("reason", place.reason);
        if (place.isThere) { fact("position", `${place.latitude}, ${place.longitude}`); }
        L.popup({ offset: [0, -4], maxWidth: 340 }).setLatLng(place.isThere ? [place.latitude, place.longitude] : map.getCenter())
            .setContent(make("div", { className: "popup" }, make("h2", {}, nameOf(place)), list)).openOn(map);
    };
    map.on("click", (event) => {
        const corner = layer._bounds.min;
        const group = groupAt(groups, event.layerPoint.x - corner.x, event.layerPoint.y - corner.y);
        if (!group || group.points.length === 1 || map.getZoom() >= 16) { return select(group?.points[0] ?? null); }
        const bounds = L.latLngBounds(group.points.map((place) => [place.latitude, place.longitude]));
        if (bounds.getNorthEast().equals(bounds.getSouthWest(), 1e-5)) { select(group.points[0]); } else { map.fitBounds(bounds, { padding: [36, 36], maxZoom: 16 }); }
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => map.fire("viewreset"));
    if (doubts.length) {
        const list = make("ol", { className: "doubts" }, ...doubts.slice(0, 500).map((place) => {
            const line = make("button", { type: "button" }, mark(place.isThere ? scales.precision.classes[place.kind] : { colour: "none", shape: "cross" }),
                make("span", {}, nameOf(place)), make("small", {}, [...new Set([statuses[place.status], place.reason])].filter(Boolean).join(": ")));
            line.addEventListener("click", () => {
                if (place.isThere) { map.setView([place.latitude, place.longitude], Math.max(map.getZoom(), near(person)), { animate: false }); }
                select(place);
                canvas.scrollIntoView({ block: "nearest" });
            });
            return make("li", {}, line);
        }));
        result.append(make("h2", {}, `${plural(doubts.length, "row", "rows")} to check`), list);
        if (doubts.length > 500) { result.append(make("p", { className: "soft" }, "The first 500 are listed. The file has all of them, with the reasons.")); }
    }
    document.documentElement.dataset.doubts = doubts.length;
}

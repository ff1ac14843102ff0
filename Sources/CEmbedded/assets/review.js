// The review of doubtful answers: the question, the candidates on a map, and a key for each decision.
import { Canvas } from "./canvas.js";
import { at, make, number, plural, read, send, trouble } from "./app.js";
import { credit, ground, near, nearest } from "./ground.js";

const parts = { country: "country", region: "region", postcode: "postcode", city: "city", street: "street", house_number: "house number" };

export async function show(main, person) {
    if (!person.scopes.includes("admin")) {
        main.append(make("div", { className: "sheet" }, make("h1", {}, "Review"), make("p", { className: "lead" }, 'The scope "admin" is needed to decide doubtful answers.')));
        return;
    }
    const side = make("section", { className: "side question", "aria-label": "The question", id: "question" });
    main.append(make("div", { className: "atlas review" }, side, make("div", { id: "map", role: "application", "aria-label": "Map of the candidates" })));

    const map = L.map("map", { minZoom: 1, maxZoom: nearest(person), zoomControl: false, attributionControl: false, fadeAnimation: false, keyboard: false });
    L.control.zoom({ position: "topright" }).addTo(map);
    L.control.attribution({ prefix: false }).addTo(map).addAttribution(credit(person) + " · towns: GeoNames");
    L.control.scale({ position: "bottomright" }).addTo(map);
    map.setView([30, 10], 2);
    ground(map, person).then((towns) => {
        if (towns) { new Canvas((context, view) => towns(context, view, []), { pane: "tilePane" }).addTo(map); }
    });
    const signs = L.layerGroup().addTo(map);

    let [waiting, after, isMore, chosen, pin, isBusy] = [[], null, true, 0, null, false];
    // The questions that were decided here, the latest at the end.
    const decided = [];

    async function fetchMore() {
        if (!isMore) { return; }
        const { data, next_after: next } = await read("/v1/review?limit=50" + (after === null ? "" : `&after=${after}`));
        waiting.push(...data);
        [after, isMore] = [next, next !== null];
    }

    async function begin() {
        if (waiting.length < 2) { await fetchMore(); }
        [chosen, pin] = [0, null];
        paint(true);
    }

    function paint(isNew = false) {
        const question = waiting[0];
        signs.clearLayers();
        const undo = button("Undo", "u", takeBack, decided.length === 0);
        if (!question) {
            side.replaceChildren(make("h1", {}, "Nothing to review"),
                make("p", { className: "soft" }, decided.length ? `${plural(decided.length, "decision", "decisions")} made.` : "Doubtful answers appear here."), make("div", { className: "decide" }, undo));
            document.documentElement.dataset.question = "";
            return;
        }
        const { address, candidates } = question;
        const asked = [address.street, [address.postcode, address.city].filter(Boolean).join(" "), address.region, address.country].filter(Boolean).join("\n");
        side.replaceChildren(
            make("p", { className: "soft" }, `${number(waiting.length)}${isMore ? " and more" : ""} to decide` + (decided.length ? `, ${number(decided.length)} decided` : "")),
            make("h1", { className: "asked" }, asked),
            make("p", { className: "soft" }, question.reason ?? ""),
            make("ol", { className: "candidates" }, ...candidates.map((candidate, place) => make("li", {}, card(candidate, place)))),
            make("div", { className: "decide" },
                pin ? button("Set pin", "Enter", setPin, false, "first") : button("Accept", "a", accept, candidates.length === 0, "first"),
                button("Reject all", "r", reject), button(pin ? "No pin" : "Pin by hand", "p", togglePin), button("Later", "n", later, waiting.length < 2 && !isMore), undo));
        candidates.forEach((candidate, place) => {
            const icon = L.divIcon({ className: "", iconSize: [26, 26], html: sign(place) });
            L.marker([candidate.latitude, candidate.longitude], { icon, zIndexOffset: place === chosen ? 1_000 : 0, keyboard: false, alt: `candidate ${place + 1}` })
                .on("click", () => choose(place)).addTo(signs);
        });
        if (pin) {
            const marker = L.marker(pin, { icon: L.divIcon({ className: "", iconSize: [22, 22], iconAnchor: [11, 26], html: make("span", { className: "pin" }) }), draggable: true, zIndexOffset: 2_000, keyboard: false });
            marker.on("dragend", () => { pin = marker.getLatLng(); }).addTo(signs);
        }
        if (isNew && candidates.length) {
            map.fitBounds(candidates.map((candidate) => [candidate.latitude, candidate.longitude]), { padding: [90, 90], maxZoom: near(person), animate: false });
        }
        document.documentElement.dataset.question = question.id;
    }

    const sign = (place) => make("span", { className: "sign" + (place === chosen ? " is-chosen" : "") }, place + 1);

    function card(candidate, place) {
        const compared = Object.entries(parts).filter(([part]) => !["unasked", "same"].includes(candidate.compared?.[part] ?? "unasked"))
            .map(([part, name]) => make("span", { className: candidate.compared[part] === "different" ? "different" : "" }, `${name} ${candidate.compared[part]}`));
        const made = make("button", { type: "button", "aria-pressed": String(place === chosen), "data-candidate": place + 1 }, sign(place),
            make("span", {}, candidate.matched_address ?? `${candidate.latitude}, ${candidate.longitude}`), make("span", { className: "number soft" }, candidate.area_confidence.toFixed(2)),
            make("span", { className: "parts" }, make("span", {}, `${candidate.precision}, ${candidate.provider}`), ...compared));
        made.addEventListener("click", () => choose(place));
        return made;
    }

    function button(text, key, work, isDisabled = false, className = "") {
        const made = make("button", { type: "button", className, disabled: isDisabled ? "" : undefined, "data-key": key, "aria-keyshortcuts": key }, text, make("kbd", {}, key));
        made.addEventListener("click", work);
        return made;
    }

    function choose(place) {
        if (place >= (waiting[0]?.candidates.length ?? 0)) { return; }
        chosen = place;
        paint();
        const { latitude, longitude } = waiting[0].candidates[place];
        map.panInside([latitude, longitude], { padding: [60, 60] });
    }

    /** Makes one decision at a time, so that a key that is held down doesn't decide twice. */
    async function decide(verb, body) {
        const question = waiting[0];
        if (!question || isBusy) { return; }
        isBusy = true;
        try {
            await send("POST", `/v1/review/${question.id}/${verb}`, body);
            decided.push(question);
            waiting.shift();
            trouble("");
            await begin();
        } catch (error) {
            trouble(error.message);
        }
        isBusy = false;
    }

    const accept = () => decide("accept", { candidate: chosen + 1 });
    const reject = () => decide("reject");
    const setPin = () => decide("pin", { latitude: pin.lat, longitude: L.Util.wrapNum(pin.lng, [-180, 180], true) });

    function togglePin() {
        const candidate = waiting[0]?.candidates[chosen];
        pin = pin ? null : candidate ? L.latLng(candidate.latitude, candidate.longitude) : map.getCenter();
        paint();
    }

    function later() {
        waiting.push(waiting.shift());
        return begin();
    }

    async function takeBack() {
        const question = decided.at(-1);
        if (!question || isBusy) { return; }
        isBusy = true;
        try {
            await send("POST", `/v1/review/${question.id}/undo`);
            decided.pop();
            waiting.unshift(question);
            trouble("");
            await begin();
        } catch (error) {
            trouble(error.message);
        }
        isBusy = false;
    }

    addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || at("keys").open) { return; }
        if (/^[1-9]$/.test(event.key)) { return choose(Number(event.key) - 1); }
        if (event.key === "Enter" && document.activeElement?.tagName === "BUTTON") { return; }
        const key = event.key === "Enter" && !pin ? "a" : event.key;
        const made = side.querySelector(`[data-key="${CSS.escape(key)}"]`);
        if (made && !made.disabled) { made.click(); }
    });
    await begin();
}

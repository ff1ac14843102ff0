// Shared by all pages: the session, requests, polling, and keys.

export const at = (id) => document.getElementById(id);
export const number = (value) => value.toLocaleString("en");
export const plural = (count, one, many) => number(count) + " " + (count === 1 ? one : many);

/** Formats seconds in one unit, such as `3 min`. */
export function time(seconds) {
    const [size, unit] = [[86_400, "days"], [3_600, "h"], [60, "min"], [1, "s"]].find(([size]) => seconds >= 2 * size) ?? [1, "s"];
    return `${number(Math.round(seconds / size))} ${unit}`;
}

/** Makes an element with texts or other elements in it. Texts are never parsed as HTML. */
export function make(name, { className, ...attributes } = {}, ...children) {
    const element = document.createElement(name);
    if (className) { element.className = className; }
    for (const [key, value] of Object.entries(attributes)) { if (value !== undefined) { element.setAttribute(key, value); } }
    element.append(...children.filter((child) => child !== null && child !== undefined).map((child) => child instanceof Node ? child : String(child)));
    return element;
}

/** Returns the response of a route. Without a session, the browser goes to the sign-in page. */
export async function read(path, options = {}) {
    const response = await fetch(path, { credentials: "same-origin", headers: { Accept: "application/json" }, ...options });
    if (response.status === 401) {
        location.assign("/sign-in");
        return new Promise(() => { });
    }
    if (!response.ok) {
        const problem = await response.json().catch(() => ({}));
        throw Object.assign(new Error(problem.detail ?? `The server answered ${response.status}.`), { status: response.status, errors: problem.errors ?? [] });
    }
    return response.status === 204 ? null : response.json();
}

/** Sends JSON, and returns the response of the route. */
export function send(method, path, body = {}) {
    return read(path, { method, headers: { Accept: "application/json", "Content-Type": "application/json" }, body: JSON.stringify(body) });
}

/** Runs `work` repeatedly while the page is visible. An error is shown until the next success. */
export function often(work, milliseconds = 2_000) {
    let [timer, isUnderWay] = [null, false];
    const turn = async () => {
        clearTimeout(timer);
        if (document.hidden || isUnderWay) { return; }
        isUnderWay = true;
        try {
            await work();
            trouble("");
        } catch (error) {
            trouble(error.message);
        }
        isUnderWay = false;
        timer = setTimeout(turn, milliseconds);
    };
    document.addEventListener("visibilitychange", turn);
    return turn();
}

/** Calls `tell` with each event of this kind while the page is visible. The promise resolves at the first event. */
export function watch(path, kind, tell) {
    return new Promise((first) => {
        let source = null;
        const turn = () => {
            source?.close();
            source = null;
            if (document.hidden) { return; }
            source = new EventSource(path);
            source.addEventListener(kind, (event) => {
                tell(JSON.parse(event.data));
                trouble("");
                first();
            });
            source.addEventListener("error", () => {
                trouble("The server does not respond. Trying again.");
                // A browser gives up if the response is not a stream. The session may be over.
                if (source?.readyState === EventSource.CLOSED) { setTimeout(() => read("/session").then((person) => person.account ? turn() : location.assign("/sign-in")).catch(turn), 2_000); }
            });
        };
        document.addEventListener("visibilitychange", turn);
        addEventListener("pagehide", () => source?.close());
        turn();
    });
}

/** Returns a function that calls `work` after a short pause in typing. */
export function afterTyping(work) {
    let timer = null;
    return () => {
        clearTimeout(timer);
        timer = setTimeout(work, 250);
    };
}

/** Shows an error at the top of the page; an empty text removes it. */
export function trouble(text) {
    let line = at("trouble");
    if (!text) { return line?.remove(); }
    if (!line) {
        line = make("p", { id: "trouble", className: "trouble", role: "alert" });
        at("main").before(line);
    }
    if (line.textContent !== text) { line.textContent = text; }
}

const pages = {
    "/": "overview", "/map": "map", "/contacts": "contacts", "/lanes": "lanes", "/review": "review", "/trackers": "trackers", "/sign-in": "sign-in",
    "/jobs": "jobs", "/workers": "workers", "/answers": "answers", "/tokens": "tokens", "/settings": "settings", "/files": "files",
    "/gateway": "gateway",
};
// Pages for a single object: /lanes/nominatim.
const details = { contacts: "contacts", lanes: "lane", trackers: "tracker", jobs: "jobs", workers: "workers" };
const titles = {
    overview: "Overview", map: "Map", contacts: "Contacts", lanes: "Lanes", lane: "Lane", review: "Review", trackers: "Trackers", tracker: "Tracker", "sign-in": "Sign in",
    jobs: "Jobs", workers: "Workers", answers: "Answers", tokens: "Tokens", settings: "Settings", files: "Files", gateway: "Gateway",
};

let isAfterG = false;
addEventListener("keydown", (event) => {
    const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement?.tagName ?? "");
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping) { return; }
    const page = isAfterG && {
        o: "/", m: "/map", c: "/contacts", l: "/lanes", r: "/review", t: "/trackers", j: "/jobs", w: "/workers", a: "/answers", k: "/tokens", s: "/settings", f: "/files", g: "/gateway",
    }[event.key];
    isAfterG = event.key === "g";
    if (page) {
        // The page itself may use the second key for something else.
        event.stopImmediatePropagation();
        location.assign(page);
    }
    if (event.key === "?") { at("keys").showModal(); }
    if (event.key === "/" && at("search")) {
        event.preventDefault();
        at("search").focus();
    }
});

async function begin() {
    const [folder, thing] = location.pathname.split("/").slice(1);
    const page = pages[location.pathname] ?? (thing && details[folder]) ?? "overview";
    document.title = `${titles[page]} · Waypost`;
    let person = null;
    if (page !== "sign-in") {
        person = await read("/session");
        if (!person.account) { return location.replace("/sign-in" + (page === "overview" ? "" : "?next=" + location.pathname)); }
        at("nav").hidden = false;
        at("leave").hidden = !person.is_signed_in;
        at("person").textContent = person.account + (person.is_signed_in ? "" : " · no token yet, this machine only");
        const current = at("nav").querySelector(`a[href="/${CSS.escape(folder)}"]`);
        current?.setAttribute("aria-current", "page");
        // On a phone some links are outside of the screen.
        current?.scrollIntoView({ block: "nearest", inline: "center" });
    }
    const { show } = await import(`./${page}.js`);
    await show(at("main"), person);
    document.documentElement.dataset.ready = page;
}

begin().catch((error) => trouble(error.message));

// Charts with axes, and a text that follows the pointer.
import { make, number, often, plural, read } from "./app.js";

const svg = "http://www.w3.org/2000/svg";
/** The room around a chart's bars or lines, in pixels. */
export const edge = { left: 52, right: 14, top: 12, bottom: 28 };

export function shape(name, attributes, ...children) {
    const made = document.createElementNS(svg, name);
    for (const [key, value] of Object.entries(attributes)) { made.setAttribute(key, value); }
    made.append(...children);
    return made;
}

/** The width of a chart's drawing in pixels. */
export const widthOf = (picture) => Math.max(240, picture.clientWidth || picture.parentElement.clientWidth - 36);

/** Four or five round numbers up to `top`. */
export function ticks(top) {
    const unit = 10 ** Math.floor(Math.log10(top / 4));
    const step = Math.max(1, [1, 2, 5, 10].map((one) => one * unit).find((one) => top / one <= 5) ?? unit * 10);
    return Array.from({ length: Math.floor(top / step) + 1 }, (_, place) => place * step);
}

/** The lines and numbers of the vertical axis. `y` gives the height of a number of calls. */
export const axis = (top, y, width) => ticks(top).flatMap((calls) => [
    shape("line", { class: "grid", x1: edge.left, x2: width - edge.right, y1: y(calls), y2: y(calls) }),
    shape("text", { x: edge.left - 8, y: y(calls) + 4, "text-anchor": "end" }, number(calls)),
]);

/**
 * Shows a text at the place under the pointer, or at the place selected with the arrow keys. `spots()` returns the positions of the
 * places in pixels from the left. `tell(place)` returns the lines of the text.
 */
export function hover(picture, spots, tell) {
    const [tip, line] = [make("p", { className: "tip", role: "status", hidden: "" }), make("span", { className: "cursor", hidden: "" })];
    let place = -1;
    const show = (next) => {
        const all = spots();
        place = Math.min(next, all.length - 1);
        tip.hidden = line.hidden = place < 0;
        if (place < 0) { return; }
        tip.replaceChildren(...tell(place).map((text) => make("span", {}, text)));
        const [left, width] = [all[place], tip.offsetWidth + 10];
        line.style.left = left + "px";
        tip.style.left = (left + width > picture.clientWidth ? Math.max(0, left - width) : left + 10) + "px";
    };
    picture.addEventListener("pointermove", ({ clientX }) => {
        const x = clientX - picture.getBoundingClientRect().left;
        show(spots().reduce((best, spot, next, all) => best < 0 || Math.abs(spot - x) < Math.abs(all[best] - x) ? next : best, -1));
    });
    picture.addEventListener("keydown", (event) => {
        const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (!step) { return; }
        event.preventDefault();
        show(place < 0 ? spots().length - 1 : Math.max(0, place + step));
    });
    for (const kind of ["pointerleave", "blur"]) { picture.addEventListener(kind, () => show(-1)); }
    picture.setAttribute("tabindex", "0");
    const plot = make("div", { className: "plot" });
    picture.replaceWith(plot);
    plot.append(picture, line, tip);
}

/** True while a text of a chart in `element` is open. Do not replace the chart then. */
export const isRead = (element) => !!element.querySelector(".tip:not([hidden])");

const spans = { "1h": "hour", "1d": "day", "7d": "7 days", "30d": "30 days" };
// Seconds from one label of the horizontal axis to the next.
const labelled = { "1h": 900, "1d": 21_600, "7d": 86_400, "30d": 5 * 86_400 };
const height = 170;

/** A heading with a selector for the span, and a chart of the calls of the lanes for which `isMeant(name)` is true. */
export function callHistory(isMeant = () => true) {
    const choice = make("select", { "aria-label": "Span of the chart", "data-act": "span" }, ...Object.entries(spans).map(([value, words]) => make("option", { value }, words)));
    const body = make("div", {});
    const look = async (isNew = false) => {
        const span = choice.value;
        const found = await read(`/v1/throughput/history?span=${span}`);
        if (span === choice.value && (isNew || !isRead(body))) { body.replaceChildren(bars(summed(found, isMeant), span)); }
    };
    choice.addEventListener("change", () => look(true));
    return { parts: [make("h2", {}, "Calls in the last ", choice), body], begin: () => often(look, 20_000) };
}

/** The sums of the selected lanes, as one list of steps. */
function summed({ start, step_seconds: length, lanes }, isMeant) {
    const steps = [];
    for (const lane of lanes.filter(({ name }) => isMeant(name))) {
        lane.steps.forEach((step, place) => {
            const sum = steps[place] ??= { from: start + place * length, length, calls: 0, answered: 0, retried: 0, limited: 0, failed: 0, lost: 0 };
            for (const name of ["calls", "answered", "retried", "limited", "failed", "lost"]) { sum[name] += step[name]; }
        });
    }
    return steps;
}

const calls = { one: "call", many: "calls", none: "No call was made.", good: "answered", other: "retried, limited, failed or lost", parts: ["answered", "retried", "limited", "failed", "lost"] };

/** A bar for each step: `answered` of all its `calls` are good. `words` names what is counted, and the counts in the text. */
export function bars(steps, span, words = calls) {
    const sum = steps.reduce((all, step) => all + step.calls, 0);
    const most = Math.max(0, ...steps.map((step) => step.calls));
    const picture = shape("svg", { role: "img", height, "aria-label": `${plural(sum, words.one, words.many)} in the last ${spans[span]}; at most ${number(most)} in ${stepLength(steps)}` });
    const caption = sum ? [make("span", { className: "key key-answered" }, words.good), make("span", { className: "key key-other" }, words.other),
        `${plural(sum, words.one, words.many)}, at most ${number(most)} in ${stepLength(steps)}`] : [words.none];
    const figure = make("figure", { className: "past chart" }, picture, make("figcaption", {}, ...caption));
    const x = (place) => edge.left + (widthOf(picture) - edge.left - edge.right) * place / steps.length;
    const paint = () => {
        const width = widthOf(picture);
        const top = Math.max(4, most) * 1.08;
        const y = (calls) => height - edge.bottom - (height - edge.top - edge.bottom) * calls / top;
        const bar = (place, name, low, high) => high > low ? shape("rect", { class: name, x: x(place) + 0.5, width: Math.max(1, x(1) - x(0) - 1), y: y(high), height: Math.max(1, y(low) - y(high)) }) : "";
        picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
        picture.replaceChildren(...axis(top, y, width), ...labels(steps, span).map(([place, text]) => shape("text", { x: x(place), y: height - 8, "text-anchor": place ? "middle" : "start" }, text)),
            ...steps.flatMap((step, place) => [bar(place, "answered", 0, step.answered), bar(place, "other", step.answered, step.calls)]));
    };
    new ResizeObserver(paint).observe(figure);
    hover(picture, () => steps.map((_, place) => x(place + 0.5)), (place) => {
        const step = steps[place];
        const counts = words.parts.filter((name) => step[name]).map((name) => `${number(step[name])} ${name}`);
        return [`${moment(step.from, span)} to ${clock(step.from + step.length)}`, plural(step.calls, words.one, words.many), ...counts];
    });
    return figure;
}

function stepLength([step]) {
    const length = step?.length ?? 60;
    return length < 3_600 ? plural(length / 60, "minute", "minutes") : plural(length / 3_600, "hour", "hours");
}

const [hours, days] = [new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" }), new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" })];
const clock = (seconds) => hours.format(seconds * 1_000);
const moment = (seconds, span) => span === "1h" ? clock(seconds) : `${days.format(seconds * 1_000)}, ${clock(seconds)}`;

/** The places with a label, and its text: the first step of each quarter of an hour, of each day and so on, in local time. */
function labels(steps, span) {
    const part = ({ from }) => Math.floor((from - new Date(from * 1_000).getTimezoneOffset() * 60) / labelled[span]);
    return steps.flatMap((step, place) => place && part(step) !== part(steps[place - 1]) && place < steps.length - 2
        ? [[place, labelled[span] < 86_400 ? clock(step.from) : days.format(step.from * 1_000)]] : []);
}

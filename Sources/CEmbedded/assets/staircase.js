// A chart of a lane's calls as a staircase, below the curves of its limits.
import { make, number, plural } from "./app.js";
import { axis, edge, hover, shape, widthOf } from "./chart.js";

const height = 250;

/** The calls that a limit permitted up to each moment: they rise at the limit's rate until its bucket is full. */
export function permitted(audit, place) {
    const { calls, per_seconds: seconds, burst } = audit.limits[place];
    const rate = calls / seconds;
    const points = [[0, burst]];
    let [moment, made, room] = [0, 0, burst];
    const rise = (until) => {
        const full = moment + (burst - room) / rate;
        if (full < until) { points.push([Math.max(full, moment), made + burst], [until, made + burst]); } else { points.push([until, made + room + rate * (until - moment)]); }
    };
    for (const step of audit.steps) {
        rise(step.at);
        [moment, made, room] = [step.at, step.calls, step.room[place]];
        points.push([moment, made + room]);
    }
    rise(audit.seconds);
    return points;
}

/** A figure with the calls of `audit`. `name` returns the name of a limit. */
export function staircase(audit, name) {
    const figure = make("figure", { className: "past chart staircase" });
    const picture = shape("svg", { role: "img", height, "aria-label": sentence(audit, name) });
    figure.append(picture, make("figcaption", {}, make("span", { className: "key key-calls" }, "calls"),
        ...audit.limits.map((limit, place) => make("span", { className: "key", "data-limit": place }, `permitted by ${name(limit)}`))));
    new ResizeObserver(() => paint(picture, audit)).observe(figure);
    hover(picture, () => audit.steps.map((step) => across(picture, audit, step.at)), (place) => {
        const step = audit.steps[place];
        return [`${length(audit.seconds - step.at)} ago`, `call ${number(step.calls)} of ${number(audit.calls)}`,
            ...audit.limits.map((limit, which) => `${name(limit)}: ${room(step.room[which])}`)];
    });
    return figure;
}

/** The calls that a limit still permitted after a call. */
const room = (calls) => calls < 0 ? `exceeded by ${number(Math.round(-calls * 100) / 100)}` : `${plural(Math.floor(calls), "call", "calls")} left`;

/** The position of a moment, in pixels from the left. */
const across = (picture, audit, moment) => edge.left + (widthOf(picture) - edge.left - edge.right) * moment / audit.seconds;

function sentence(audit, name) {
    const least = audit.limits.map((limit, place) => Math.min(limit.burst, ...audit.steps.map((step) => step.room[place])));
    const limits = audit.limits.map((limit, place) =>
        limit.is_exceeded ? `beyond ${name(limit)} by ${number(Math.round(limit.excess * 100) / 100)}` : `within ${name(limit)}, always with at least ${number(Math.round(least[place] * 100) / 100)} calls left`);
    return `${number(audit.calls)} calls, as a staircase over time` + (limits.length ? ": " + limits.join("; ") : "; the lane has no limits");
}

function paint(picture, audit) {
    const width = widthOf(picture);
    const curves = audit.limits.map((_, place) => permitted(audit, place));
    // A limit far above all calls would make them flat. So only the nearest limit must fit into the picture.
    const nearest = curves.length ? Math.min(...curves.map((curve) => curve.at(-1)[1])) : 0;
    const top = Math.max(1, audit.calls, nearest) * 1.08;
    const x = (moment) => across(picture, audit, moment);
    const y = (calls) => height - edge.bottom - (height - edge.top - edge.bottom) * calls / top;
    const at = ([moment, calls]) => `${x(moment).toFixed(1)} ${y(calls).toFixed(1)}`;
    let [stairs, made] = [`M${at([0, 0])}`, 0];
    for (const step of audit.steps) {
        stairs += `L${at([step.at, made])}L${at([step.at, step.calls])}`;
        made = step.calls;
    }
    stairs += `L${at([audit.seconds, audit.calls])}`;
    const clip = shape("clipPath", { id: "stairs-clip" }, shape("rect", { x: edge.left, y: 0, width: width - edge.left - edge.right, height: height - edge.bottom + 1 }));
    const lines = curves.map((curve, place) => shape("path", { class: "permitted", "data-limit": place, d: "M" + curve.map(at).join("L") }));
    picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    picture.replaceChildren(clip, ...axis(top, y, width), ...moments(audit.seconds, width).map(([moment, text, anchor]) => shape("text", { x: x(moment), y: height - 8, "text-anchor": anchor }, text)),
    shape("g", { "clip-path": "url(#stairs-clip)" }, shape("path", { class: "area", d: `${stairs}L${at([audit.seconds, 0])}Z` }), ...lines, shape("path", { class: "stairs", d: stairs })));
}

/** Formats a time in one unit, with one decimal if it is below 10. */
export function length(seconds) {
    const [size, unit] = seconds >= 7_200 ? [3_600, "h"] : seconds >= 120 ? [60, "min"] : [1, "s"];
    const amount = seconds / size;
    return `${number(amount < 10 ? Math.round(amount * 10) / 10 : Math.round(amount))} ${unit}`;
}

function moments(seconds, width) {
    const count = width < 480 ? 2 : 4;
    const said = (ago) => ago < 0.01 ? "now" : `${length(ago)} ago`;
    return Array.from({ length: count + 1 }, (_, place) => {
        const moment = seconds * place / count;
        return [moment, said(seconds - moment), place === 0 ? "start" : place === count ? "end" : "middle"];
    });
}

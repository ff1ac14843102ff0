// Places on the map: the meaning of colours and shapes, and the grouping of nearby places.
import { colours, copies } from "./canvas.js";

/** A way to sort places into classes. `of(place)` is the number of a class. */
export const scales = {
    precision: {
        classes: [
            { name: "House", note: "", colour: "p1", shape: "circle" },
            { name: "Street", note: "", colour: "p2", shape: "circle" },
            { name: "roughly: postcode", note: "", colour: "p3", shape: "square" },
            { name: "roughly: town", note: "", colour: "p4", shape: "diamond" },
            { name: "roughly: region or country", note: "", colour: "p5", shape: "diamond" },
            { name: "Doubtful", note: "area confidence below 0.75", colour: "doubtful", shape: "diamond" },
            { name: "Given", note: "by a person or the file", colour: "given", shape: "square" },
        ],
        of: ({ precision, provider, area_confidence }) => area_confidence < 0.75 && area_confidence !== null ? 5 : isGiven(provider) ? 6
            : ({ rooftop: 0, interpolated: 0, street: 1, postcode: 2, city: 3, region: 4, country: 4 })[precision] ?? 6,
    },
};

/** The words of a precision, as in the terminal and in tables. */
export const precisionWord = (precision) => ({ postcode: "roughly: postcode", city: "roughly: town" })[precision] ?? precision;

/** True if a person or the file set the position. */
export const isGiven = (provider) => provider === "contact" || provider === "pin";

/** One class for each provider, the one with the most places first. */
export function providerScale(counts) {
    const shapes = ["circle", "diamond", "square"];
    const names = Object.keys(counts).sort((one, other) => counts[other] - counts[one]);
    const classes = names.map((name, place) => ({
        name: name || "unknown", note: "", colour: "q" + (place % 7 + 1), shape: shapes[Math.floor(place / 7) % 3],
    }));
    return { classes, of: (place) => names.indexOf(place.provider) };
}

/** The mark of a class in a legend or a list. */
export function mark({ colour, shape }) {
    const element = document.createElement("span");
    element.className = "mark";
    element.dataset.shape = shape;
    element.style.setProperty("--colour", `var(--${colour})`);
    return element;
}

/**
 * Groups the points in the view: points that would cover each other form one group. A point is `{x, y, kind}`. A point for several places
 * has their number in `count`, and the number of each class in `kinds`.
 */
export function gathered(points, view) {
    const side = view.zoom >= 14 ? 12 : 60;
    const cells = new Map();
    const margin = 80;
    copies(view, (copy) => {
        const west = copy * view.scale - view.left;
        for (const point of points) {
            const x = point.x * view.scale + west;
            const y = point.y * view.scale - view.top;
            if (x < -margin || y < -margin || x > view.width + margin || y > view.height + margin) { continue; }
            const key = Math.floor((x + view.left) / side) * 67_108_864 + Math.floor((y + view.top) / side);
            let cell = cells.get(key);
            if (!cell) { cells.set(key, cell = { x: 0, y: 0, count: 0, points: [] }); }
            const count = point.count ?? 1;
            cell.x += x * count;
            cell.y += y * count;
            cell.count += count;
            cell.points.push(point);
        }
    });
    const groups = [...cells.values()].map((cell) => ({ ...cell, x: cell.x / cell.count, y: cell.y / cell.count }));
    return joined(groups.flatMap((group) => spread(group, view)));
}

/** Splits a small group into single points if they don't overlap. */
function spread(group, view) {
    if (group.points.length < 2 || group.points.length > 6) { return [group]; }
    const singles = group.points.map((point) => {
        const x = point.x * view.scale - view.left;
        return { x: x + Math.round((group.x - x) / view.scale) * view.scale, y: point.y * view.scale - view.top, count: point.count ?? 1, points: [point] };
    });
    const isApart = singles.every((one, place) => singles.every((other, otherPlace) =>
        place >= otherPlace || Math.hypot(one.x - other.x, one.y - other.y) > radius(one.count) + radius(other.count) + 1));
    return isApart ? singles : [group];
}

/** Merges each group into a larger one that would cover it. The result begins with the largest. */
function joined(groups) {
    groups.sort((one, other) => other.count - one.count);
    const kept = [];
    const buckets = new Map();
    for (const group of groups) {
        const [column, row] = [Math.floor(group.x / 60), Math.floor(group.y / 60)];
        let host = null;
        for (let x = column - 1; x <= column + 1 && !host; x++) {
            for (let y = row - 1; y <= row + 1 && !host; y++) {
                host = (buckets.get(x + ":" + y) ?? []).find((other) =>
                    Math.hypot(other.x - group.x, other.y - group.y) < radius(other.count) + radius(group.count) - 1);
            }
        }
        if (host) {
            host.count += group.count;
            for (const point of group.points) { host.points.push(point); }
        } else {
            kept.push(group);
            const key = column + ":" + row;
            buckets.set(key, [...buckets.get(key) ?? [], group]);
        }
    }
    return kept;
}

export const radius = (count) => count < 2 ? 6 : Math.min(28, 11 + 4.2 * Math.log10(count));

/** Paints the groups: a mark for a single place, or a ring with the shares of the classes and the number of places. */
export function paintGroups(context, groups, classes, chosen) {
    const colour = colours();
    context.textAlign = "center";
    context.textBaseline = "middle";
    const family = getComputedStyle(document.body).fontFamily;
    for (const group of [...groups].reverse()) {
        if (group.count === 1) {
            const kind = classes[group.points[0].kind];
            paintMark(context, kind, colour, group, group.points[0] === chosen);
        } else {
            paintRing(context, shares(group, classes), colour, group, family, group.points.includes(chosen));
        }
    }
}

function shares(group, classes) {
    const counts = classes.map(() => 0);
    for (const point of group.points) {
        if (point.kinds) { point.kinds.forEach((count, kind) => counts[kind] += count); } else { counts[point.kind]++; }
    }
    return counts.map((count, kind) => ({ count, colour: classes[kind].colour }));
}

function paintMark(context, kind, colour, { x, y }, isChosen) {
    const size = isChosen ? 8.5 : 6;
    context.beginPath();
    if (kind.shape === "diamond") {
        const far = size * 1.2;
        context.moveTo(x, y - far);
        context.lineTo(x + far, y);
        context.lineTo(x, y + far);
        context.lineTo(x - far, y);
        context.closePath();
    } else if (kind.shape === "square") {
        context.rect(x - size * 0.9, y - size * 0.9, size * 1.8, size * 1.8);
    } else {
        context.arc(x, y, size, 0, 2 * Math.PI);
    }
    context.fillStyle = colour[kind.colour];
    context.fill();
    context.lineWidth = isChosen ? 2.5 : 1.5;
    context.strokeStyle = isChosen ? colour.ink : colour.surface;
    context.stroke();
}

function paintRing(context, parts, colour, { x, y, count }, family, isChosen) {
    const outer = radius(count);
    context.beginPath();
    context.arc(x, y, outer, 0, 2 * Math.PI);
    context.fillStyle = colour.surface;
    context.fill();
    context.lineWidth = isChosen ? 5 : 1;
    context.strokeStyle = isChosen ? colour.ink : colour.border;
    context.stroke();
    const whole = parts.reduce((sum, part) => sum + part.count, 0);
    let angle = -Math.PI / 2;
    context.lineWidth = 3.6;
    for (const part of parts) {
        if (!part.count) { continue; }
        const end = angle + 2 * Math.PI * part.count / whole;
        context.beginPath();
        context.arc(x, y, outer - 2.4, angle, end);
        context.strokeStyle = colour[part.colour];
        context.stroke();
        angle = end;
    }
    context.fillStyle = colour.ink;
    context.font = `600 ${count < 1_000 ? 11 : 10.5}px ${family}`;
    context.fillText(short(count), x, y + 0.5);
}

function short(count) {
    if (count < 1_000) { return String(count); }
    if (count < 999_500) { return count < 9_950 ? (count / 1_000).toFixed(1) + "k" : Math.round(count / 1_000) + "k"; }
    return (count / 1_000_000).toFixed(1) + "M";
}

/** The group under a point of the canvas; nothing if there is none. */
export function groupAt(groups, x, y) {
    return groups.filter((group) => Math.hypot(group.x - x, group.y - y) <= radius(group.count) + 5)
        .sort((one, other) => Math.hypot(one.x - x, one.y - y) - Math.hypot(other.x - x, other.y - y))[0];
}

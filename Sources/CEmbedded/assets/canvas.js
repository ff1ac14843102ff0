// Canvas layers of a Leaflet map: the world below it, and marks above it.

/** Longitude and latitude in Web Mercator, for a world that is 1 wide and 1 high. */
export const across = (longitude) => longitude / 360 + 0.5;
export function down(latitude) {
    const sine = Math.sin(Math.max(-85.0511, Math.min(85.0511, latitude)) * Math.PI / 180);
    return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

/** The present colours of style.css, which differ between dark and light. */
export function colours() {
    const style = getComputedStyle(document.documentElement);
    return new Proxy({}, { get: (_, name) => style.getPropertyValue("--" + name).trim() });
}

/** A layer that `paint(context, view)` fills. In `view`, a point of the world is at `x * scale - left`. */
export const Canvas = L.Renderer.extend({
    options: { padding: 0.35 },

    initialize(paint, options) {
        this._paint = paint;
        L.Renderer.prototype.initialize.call(this, options);
    },

    _initContainer() { this._container = document.createElement("canvas"); },
    _destroyContainer() { this._container.remove(); delete this._container; },
    _updatePaths() { },

    getEvents() { return { ...L.Renderer.prototype.getEvents.call(this), move: this._keepUp }; },

    /** Leaflet updates a layer only at the end of a move. A long move would leave the painted area before that. */
    _keepUp() {
        const corner = this._map.containerPointToLayerPoint([0, 0]);
        if (!this._bounds.contains(L.bounds(corner, corner.add(this._map.getSize())))) { this._update(); }
    },

    _update() {
        if (this._map._animatingZoom && this._bounds) { return; }
        L.Renderer.prototype._update.call(this);
        const size = this._bounds.getSize();
        const density = Math.min(window.devicePixelRatio || 1, 2);
        const canvas = this._container;
        const [width, height] = [Math.round(size.x * density), Math.round(size.y * density)];
        if (canvas.width !== width || canvas.height !== height) { Object.assign(canvas, { width, height }); }
        canvas.style.width = size.x + "px";
        canvas.style.height = size.y + "px";
        L.DomUtil.setPosition(canvas, this._bounds.min);
        const corner = this._map.getPixelOrigin().add(this._bounds.min);
        const context = canvas.getContext("2d");
        context.setTransform(density, 0, 0, density, 0, 0);
        context.clearRect(0, 0, size.x, size.y);
        this.view = {
            zoom: this._map.getZoom(), scale: 256 * 2 ** this._map.getZoom(), left: corner.x, top: corner.y,
            width: size.x, height: size.y, density,
        };
        this._paint(context, this.view);
    },

    /** Paints again after a change of the data. */
    refresh() { if (this._map) { this._update(); } },
});

/** Calls `each(offset)` for every copy of the world that is visible. */
export function copies(view, each) {
    for (let copy = Math.floor(view.left / view.scale); copy * view.scale < view.left + view.width; copy++) { each(copy); }
}

/** The points of an arc of world.json: see make-world.py. */
function decoded(text) {
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const values = [];
    for (let place = 0; place < text.length;) {
        let [number, shift, digit] = [0, 0, 0];
        do {
            digit = letters.indexOf(text[place++]);
            number |= (digit & 31) << shift;
            shift += 5;
        } while (digit & 32);
        values.push(number & 1 ? -(number + 1) / 2 : number / 2);
    }
    const points = [];
    for (let [place, x, y] = [0, 0, 0]; place < values.length; place += 2) {
        x += values[place];
        y += values[place + 1];
        points.push([across(x / 100), down(y / 100)]);
    }
    return points;
}

/** Returns a function that paints the land and the borders of world.json. */
export function worldPainter(world) {
    const arcs = world.arcs.map(decoded);
    const land = world.rings.map((ring) => {
        const points = ring.flatMap((arc) => arc < 0 ? arcs[~arc].slice().reverse() : arcs[arc]);
        return outline(points, true);
    });
    const borders = world.borders.map((arc) => outline(arcs[arc], false));

    return (context, view) => {
        const colour = colours();
        const { density, scale, left, top, width, height } = view;
        copies(view, (copy) => {
            const west = copy * scale - left;
            context.setTransform(density * scale, 0, 0, density * scale, density * west, -density * top);
            const inView = (shape) => shape.east * scale + west > 0 && shape.west * scale + west < width
                && shape.south * scale > top && shape.north * scale < top + height;
            context.fillStyle = colour.land;
            context.strokeStyle = colour.land;
            context.lineWidth = 0.6 / scale;
            context.lineJoin = "round";
            for (const shape of land) {
                if (inView(shape)) { context.fill(shape.path); context.stroke(shape.path); }
            }
            context.strokeStyle = colour.border;
            context.lineWidth = 0.9 / scale;
            for (const shape of borders) { if (inView(shape)) { context.stroke(shape.path); } }
        });
        context.setTransform(density, 0, 0, density, 0, 0);
    };
}

function outline(points, isClosed) {
    const path = new Path2D();
    let [west, east, north, south] = [1, 0, 1, 0];
    points.forEach(([x, y], place) => {
        if (place) { path.lineTo(x, y); } else { path.moveTo(x, y); }
        west = Math.min(west, x);
        east = Math.max(east, x);
        north = Math.min(north, y);
        south = Math.max(south, y);
    });
    if (isClosed) { path.closePath(); }
    return { path, west, east, north, south };
}

/**
 * Returns a function that writes the names of towns of world.json, the largest first. It skips a name that would cover another name or
 * one of `groups`.
 */
export function townPainter(world) {
    const towns = world.towns.map(([name, latitude, longitude]) => ({ name, x: across(longitude), y: down(latitude) }));
    return (context, view, groups) => {
        const { scale, left, top, width, height } = view;
        const colour = colours();
        context.font = "11.5px " + getComputedStyle(document.body).fontFamily;
        context.textAlign = "left";
        context.textBaseline = "middle";
        context.lineJoin = "round";
        context.lineWidth = 3;
        context.strokeStyle = colour.land;
        context.fillStyle = colour.town;
        const room = view.zoom < 4 ? 32 : 22;
        const most = Math.min(90, Math.round(width * height / 20_000));
        const taken = groups.length > 3_000 ? [] : groups.map(({ x, y }) => ({ left: x - 14, right: x + 14, y }));
        let count = 0;
        copies(view, (copy) => {
            for (const town of towns) {
                if (count >= most) { break; }
                const [x, y] = [(town.x + copy) * scale - left, town.y * scale - top];
                if (x < 0 || y < 8 || x > width || y > height - 8) { continue; }
                const box = { left: x - 4, right: x + 10 + town.name.length * 6.5, y };
                const isFree = taken.every((other) => box.left > other.right + 6 || box.right < other.left - 6
                    || Math.abs(box.y - other.y) > room);
                if (!isFree) { continue; }
                taken.push(box);
                count++;
                context.beginPath();
                context.arc(x, y, 1.8, 0, 7);
                context.fill();
                context.strokeText(town.name, x + 6, y);
                context.fillText(town.name, x + 6, y);
            }
        });
    };
}

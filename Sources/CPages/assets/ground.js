// What a map lies on: the outline of the world, which is part of the program, and above it the pictures of a map service where one is set.
import { Canvas, townPainter, worldPainter } from "./canvas.js";
import { read } from "./app.js";

/** How near one gets: our outline has no more to show, and a map service has. */
export const nearest = (person) => person.map_tiles ? 19 : 16;

/** The zoom at which a map opens. The outline alone shows nothing that is finer. */
export const near = (person) => person.map_tiles ? 14 : 8;

/** Whose the ground is, as the corner of the map says it. */
export const credit = (person) => [person.map_tiles?.attribution, "borders: Natural Earth"].filter(Boolean).join(" · ");

/** Lays the ground. What it returns writes the names of towns, which pictures have themselves. */
export async function ground(map, person) {
    // Leaflet's style has a canvas at 100. No request says which page it is for: the pages' Referrer-Policy sees to that.
    if (person.map_tiles) { L.tileLayer(person.map_tiles.template, { className: "tiles", maxZoom: 19, zIndex: 200 }).addTo(map); }
    const world = await read("/assets/world.json");
    new Canvas(worldPainter(world), { pane: "tilePane" }).addTo(map);
    return person.map_tiles ? null : townPainter(world);
}

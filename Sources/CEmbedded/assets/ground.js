// The background of a map: the outline of the world, which is part of the program, and the pictures of a map service, if one is set.
import { Canvas, townPainter, worldPainter } from "./canvas.js";
import { read } from "./app.js";

/** The highest zoom. A map service has more details than our outline. */
export const nearest = (person) => person.map_tiles ? 19 : 16;

/** The highest zoom at which a map opens. The outline alone has no finer details. */
export const near = (person) => person.map_tiles ? 14 : 8;

/** The attribution of the background, for the corner of the map. */
export const credit = (person) => [person.map_tiles?.attribution, "borders: Natural Earth"].filter(Boolean).join(" · ");

/** Adds the background. Returns a function that writes the names of towns, or null with a map service, whose pictures contain names. */
export async function ground(map, person) {
    // Leaflet's style puts a canvas at 100. The pages' Referrer-Policy keeps the page's address out of the requests.
    if (person.map_tiles) { L.tileLayer(person.map_tiles.template, { className: "tiles", maxZoom: 19, zIndex: 200 }).addTo(map); }
    const world = await read("/assets/world.json");
    new Canvas(worldPainter(world), { pane: "tilePane" }).addTo(map);
    return person.map_tiles ? null : townPainter(world);
}

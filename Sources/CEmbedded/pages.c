// #embed makes each file a dependency: after a change it is read again. Leaflet comes from Debian's
// package libjs-leaflet and is not part of this project; deploy/setup installs it.
#include "pages.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const struct page_asset assets[] = {
    {"style.css", (const unsigned char[]){
#embed "assets/style.css" suffix(, 0)
    }},
    {"map.css", (const unsigned char[]){
#embed "assets/map.css" suffix(, 0)
    }},
    {"file.css", (const unsigned char[]){
#embed "assets/file.css" suffix(, 0)
    }},
    {"canvas.js", (const unsigned char[]){
#embed "assets/canvas.js" suffix(, 0)
    }},
    {"marks.js", (const unsigned char[]){
#embed "assets/marks.js" suffix(, 0)
    }},
    {"list.js", (const unsigned char[]){
#embed "assets/list.js" suffix(, 0)
    }},
    {"file.js", (const unsigned char[]){
#embed "assets/file.js" suffix(, 0)
    }},
    {"file.html", (const unsigned char[]){
#embed "assets/file.html" suffix(, 0)
    }},
    {"app.css", (const unsigned char[]){
#embed "assets/app.css" suffix(, 0)
    }},
    {"shell.html", (const unsigned char[]){
#embed "assets/shell.html" suffix(, 0)
    }},
    {"error.html", (const unsigned char[]){
#embed "assets/error.html" suffix(, 0)
    }},
    {"app.js", (const unsigned char[]){
#embed "assets/app.js" suffix(, 0)
    }},
    {"sign-in.js", (const unsigned char[]){
#embed "assets/sign-in.js" suffix(, 0)
    }},
    {"overview.js", (const unsigned char[]){
#embed "assets/overview.js" suffix(, 0)
    }},
    {"lanes.js", (const unsigned char[]){
#embed "assets/lanes.js" suffix(, 0)
    }},
    {"parts.js", (const unsigned char[]){
#embed "assets/parts.js" suffix(, 0)
    }},
    {"jobs.js", (const unsigned char[]){
#embed "assets/jobs.js" suffix(, 0)
    }},
    {"workers.js", (const unsigned char[]){
#embed "assets/workers.js" suffix(, 0)
    }},
    {"answers.js", (const unsigned char[]){
#embed "assets/answers.js" suffix(, 0)
    }},
    {"gateway.js", (const unsigned char[]){
#embed "assets/gateway.js" suffix(, 0)
    }},
    {"tokens.js", (const unsigned char[]){
#embed "assets/tokens.js" suffix(, 0)
    }},
    {"settings.js", (const unsigned char[]){
#embed "assets/settings.js" suffix(, 0)
    }},
    {"files.js", (const unsigned char[]){
#embed "assets/files.js" suffix(, 0)
    }},
    {"review.js", (const unsigned char[]){
#embed "assets/review.js" suffix(, 0)
    }},
    {"chart.js", (const unsigned char[]){
#embed "assets/chart.js" suffix(, 0)
    }},
    {"contacts.js", (const unsigned char[]){
#embed "assets/contacts.js" suffix(, 0)
    }},
    {"ground.js", (const unsigned char[]){
#embed "assets/ground.js" suffix(, 0)
    }},
    {"lane.js", (const unsigned char[]){
#embed "assets/lane.js" suffix(, 0)
    }},
    {"staircase.js", (const unsigned char[]){
#embed "assets/staircase.js" suffix(, 0)
    }},
    {"trackers.js", (const unsigned char[]){
#embed "assets/trackers.js" suffix(, 0)
    }},
    {"tracker.js", (const unsigned char[]){
#embed "assets/tracker.js" suffix(, 0)
    }},
    {"map.js", (const unsigned char[]){
#embed "assets/map.js" suffix(, 0)
    }},
    {"world.json", (const unsigned char[]){
#embed "../../sql/seed/world.json" suffix(, 0)
    }},
    {"leaflet.js", (const unsigned char[]){
#embed "/usr/share/javascript/leaflet/leaflet.min.js" suffix(, 0)
    }},
    {"leaflet.css", (const unsigned char[]){
#embed "/usr/share/javascript/leaflet/leaflet.css" suffix(, 0)
    }},
    {"leaflet.txt", (const unsigned char[]){
#embed "/usr/share/doc/libjs-leaflet/copyright" suffix(, 0)
    }},
    {NULL, NULL},
};

const struct page_asset *page_assets(void) { return assets; }

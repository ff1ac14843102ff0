// #embed makes each file a dependency: after a change it is read again. Leaflet comes from Debian's
// package libjs-leaflet and is not part of this project; deploy/setup installs it.
#include "pages.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char style_css[] = {
#embed "assets/style.css"
};
static const unsigned char map_css[] = {
#embed "assets/map.css"
};
static const unsigned char file_css[] = {
#embed "assets/file.css"
};
static const unsigned char canvas_js[] = {
#embed "assets/canvas.js"
};
static const unsigned char marks_js[] = {
#embed "assets/marks.js"
};
static const unsigned char list_js[] = {
#embed "assets/list.js"
};
static const unsigned char file_js[] = {
#embed "assets/file.js"
};
static const unsigned char file_html[] = {
#embed "assets/file.html"
};
static const unsigned char app_css[] = {
#embed "assets/app.css"
};
static const unsigned char shell_html[] = {
#embed "assets/shell.html"
};
static const unsigned char app_js[] = {
#embed "assets/app.js"
};
static const unsigned char error_html[] = {
#embed "assets/error.html"
};
static const unsigned char sign_in_js[] = {
#embed "assets/sign-in.js"
};
static const unsigned char overview_js[] = {
#embed "assets/overview.js"
};
static const unsigned char lanes_js[] = {
#embed "assets/lanes.js"
};
static const unsigned char parts_js[] = {
#embed "assets/parts.js"
};
static const unsigned char jobs_js[] = {
#embed "assets/jobs.js"
};
static const unsigned char workers_js[] = {
#embed "assets/workers.js"
};
static const unsigned char answers_js[] = {
#embed "assets/answers.js"
};
static const unsigned char tokens_js[] = {
#embed "assets/tokens.js"
};
static const unsigned char settings_js[] = {
#embed "assets/settings.js"
};
static const unsigned char review_js[] = {
#embed "assets/review.js"
};
static const unsigned char chart_js[] = {
#embed "assets/chart.js"
};
static const unsigned char contacts_js[] = {
#embed "assets/contacts.js"
};
static const unsigned char ground_js[] = {
#embed "assets/ground.js"
};
static const unsigned char lane_js[] = {
#embed "assets/lane.js"
};
static const unsigned char staircase_js[] = {
#embed "assets/staircase.js"
};
static const unsigned char trackers_js[] = {
#embed "assets/trackers.js"
};
static const unsigned char tracker_js[] = {
#embed "assets/tracker.js"
};
static const unsigned char map_js[] = {
#embed "assets/map.js"
};
static const unsigned char world_json[] = {
#embed "../../sql/seed/world.json"
};
static const unsigned char leaflet_js[] = {
#embed "/usr/share/javascript/leaflet/leaflet.min.js"
};
static const unsigned char leaflet_css[] = {
#embed "/usr/share/javascript/leaflet/leaflet.css"
};
static const unsigned char leaflet_txt[] = {
#embed "/usr/share/doc/libjs-leaflet/copyright"
};

const struct page_asset *page_assets(void) {
    static const struct page_asset assets[] = {
        {"style.css", style_css, sizeof style_css},
        {"map.css", map_css, sizeof map_css},
        {"file.css", file_css, sizeof file_css},
        {"canvas.js", canvas_js, sizeof canvas_js},
        {"marks.js", marks_js, sizeof marks_js},
        {"list.js", list_js, sizeof list_js},
        {"file.js", file_js, sizeof file_js},
        {"file.html", file_html, sizeof file_html},
        {"app.css", app_css, sizeof app_css},
        {"shell.html", shell_html, sizeof shell_html},
        {"error.html", error_html, sizeof error_html},
        {"app.js", app_js, sizeof app_js},
        {"sign-in.js", sign_in_js, sizeof sign_in_js},
        {"overview.js", overview_js, sizeof overview_js},
        {"lanes.js", lanes_js, sizeof lanes_js},
        {"parts.js", parts_js, sizeof parts_js},
        {"jobs.js", jobs_js, sizeof jobs_js},
        {"workers.js", workers_js, sizeof workers_js},
        {"answers.js", answers_js, sizeof answers_js},
        {"tokens.js", tokens_js, sizeof tokens_js},
        {"settings.js", settings_js, sizeof settings_js},
        {"review.js", review_js, sizeof review_js},
        {"chart.js", chart_js, sizeof chart_js},
        {"contacts.js", contacts_js, sizeof contacts_js},
        {"ground.js", ground_js, sizeof ground_js},
        {"lane.js", lane_js, sizeof lane_js},
        {"staircase.js", staircase_js, sizeof staircase_js},
        {"trackers.js", trackers_js, sizeof trackers_js},
        {"tracker.js", tracker_js, sizeof tracker_js},
        {"map.js", map_js, sizeof map_js},
        {"world.json", world_json, sizeof world_json},
        {"leaflet.js", leaflet_js, sizeof leaflet_js},
        {"leaflet.css", leaflet_css, sizeof leaflet_css},
        {"leaflet.txt", leaflet_txt, sizeof leaflet_txt},
        {NULL, NULL, 0},
    };
    return assets;
}

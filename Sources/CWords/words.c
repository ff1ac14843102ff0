// #embed makes each file a dependency: after a change it is read again.
#include "words.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char countries[] = {
#embed "tables/countries.txt"
};
struct words words_countries(void) { return (struct words){countries, sizeof countries}; }

static const unsigned char regions[] = {
#embed "tables/regions.txt"
};
struct words words_regions(void) { return (struct words){regions, sizeof regions}; }

static const unsigned char languages[] = {
#embed "tables/languages.txt"
};
struct words words_languages(void) { return (struct words){languages, sizeof languages}; }

static const unsigned char loose[] = {
#embed "tables/loose-words.txt"
};
struct words words_loose(void) { return (struct words){loose, sizeof loose}; }

static const unsigned char street_kinds[] = {
#embed "tables/street-kinds.txt"
};
struct words words_street_kinds(void) { return (struct words){street_kinds, sizeof street_kinds}; }

static const unsigned char postal_formats[] = {
#embed "tables/postal-formats.txt"
};
struct words words_postal_formats(void) { return (struct words){postal_formats, sizeof postal_formats}; }

static const unsigned char postal_regions[] = {
#embed "tables/postal-regions.txt"
};
struct words words_postal_regions(void) { return (struct words){postal_regions, sizeof postal_regions}; }

static const unsigned char postcode_shapes[] = {
#embed "tables/postcode-shapes.txt"
};
struct words words_postcode_shapes(void) { return (struct words){postcode_shapes, sizeof postcode_shapes}; }

static const unsigned char letters[] = {
#embed "tables/letters.txt"
};
struct words words_letters(void) { return (struct words){letters, sizeof letters}; }

static const unsigned char columns[] = {
#embed "tables/columns.txt"
};
struct words words_columns(void) { return (struct words){columns, sizeof columns}; }

static const unsigned char country_aliases[] = {
#embed "tables/country-aliases.txt"
};
struct words words_country_aliases(void) { return (struct words){country_aliases, sizeof country_aliases}; }

static const unsigned char fillers[] = {
#embed "tables/fillers.txt"
};
struct words words_fillers(void) { return (struct words){fillers, sizeof fillers}; }

static const unsigned char town_words[] = {
#embed "tables/town-words.txt"
};
struct words words_town_words(void) { return (struct words){town_words, sizeof town_words}; }

static const unsigned char decompositions[] = {
#embed "tables/decompositions.txt"
};
struct words words_decompositions(void) { return (struct words){decompositions, sizeof decompositions}; }

static const unsigned char country_names[] = {
#embed "tables/country-names.txt"
};
struct words words_country_names(void) { return (struct words){country_names, sizeof country_names}; }

static const unsigned char address_words[] = {
#embed "tables/address-words.txt"
};
struct words words_address_words(void) { return (struct words){address_words, sizeof address_words}; }

static const unsigned char point_layouts[] = {
#embed "tables/point-layouts.txt"
};
struct words words_point_layouts(void) { return (struct words){point_layouts, sizeof point_layouts}; }

static const unsigned char subdivisions[] = {
#embed "tables/subdivisions.txt"
};
struct words words_subdivisions(void) { return (struct words){subdivisions, sizeof subdivisions}; }

// The tables of words and countries, which Geocoding reads. words.c puts the files into the program.
#pragma once

#include <stddef.h>

struct words {
    const unsigned char *bytes;
    size_t size;
};

struct words words_countries(void);
struct words words_regions(void);
struct words words_languages(void);
struct words words_loose(void);
struct words words_street_kinds(void);
struct words words_postal_formats(void);
struct words words_postal_regions(void);
struct words words_postcode_shapes(void);
struct words words_letters(void);
struct words words_columns(void);
struct words words_country_aliases(void);
struct words words_fillers(void);
struct words words_town_words(void);
struct words words_decompositions(void);
struct words words_country_names(void);
struct words words_address_words(void);
struct words words_point_layouts(void);
struct words words_subdivisions(void);

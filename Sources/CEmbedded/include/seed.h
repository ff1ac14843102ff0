// The gazetteer's image and the borders of countries from sql/seed. seed.S puts them into the program.
#pragma once

extern const unsigned char waypost_towns[], waypost_towns_end[];

// Swift can't take the address of an array whose size is unknown in C.
static inline const unsigned char *seed_towns(void) { return waypost_towns; }
static inline const unsigned char *seed_towns_end(void) { return waypost_towns_end; }

extern const unsigned char waypost_countries[], waypost_countries_end[];
static inline const unsigned char *seed_countries(void) { return waypost_countries; }
static inline const unsigned char *seed_countries_end(void) { return waypost_countries_end; }

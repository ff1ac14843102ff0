// The seed data as it lies in sql/seed, gzip and all, put into the binary by seed.S.
#pragma once

extern const unsigned char waypost_places[], waypost_places_end[];
extern const unsigned char waypost_postcodes[], waypost_postcodes_end[];

// Swift can't take the address of an array whose size C doesn't tell.
static inline const unsigned char *seed_places(void) { return waypost_places; }
static inline const unsigned char *seed_places_end(void) { return waypost_places_end; }
static inline const unsigned char *seed_postcodes(void) { return waypost_postcodes; }
static inline const unsigned char *seed_postcodes_end(void) { return waypost_postcodes_end; }

// The gazetteer as it lies in sql/seed, put into the binary by seed.S.
#pragma once

extern const unsigned char waypost_towns[], waypost_towns_end[];

// Swift can't take the address of an array whose size C doesn't tell.
static inline const unsigned char *seed_towns(void) { return waypost_towns; }
static inline const unsigned char *seed_towns_end(void) { return waypost_towns_end; }

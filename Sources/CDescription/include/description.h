// The description of the API as it lies in Sources/API, put into the binary by description.c.
#pragma once

extern const unsigned char waypost_openapi[];
extern const long waypost_openapi_size;

// Swift can't take the address of an array whose size C doesn't tell.
static inline const unsigned char *openapi(void) { return waypost_openapi; }
static inline long openapi_size(void) { return waypost_openapi_size; }

// The API description from Sources/API. description.c puts it into the program.
#pragma once

extern const unsigned char waypost_openapi[];
extern const long waypost_openapi_size;

// Swift can't take the address of an array whose size is unknown in C.
static inline const unsigned char *openapi(void) { return waypost_openapi; }
static inline long openapi_size(void) { return waypost_openapi_size; }

// SwiftPM's embedInCode turns a file into a Swift array literal, which takes the compiler a second for each 15 KB.
// #embed also makes the file a dependency, unlike the assembler's .incbin: after a change it is read again.
#include "description.h"

#pragma clang diagnostic ignored "-Wc23-extensions"
const unsigned char waypost_openapi[] = {
#embed "../API/openapi.json"
};
const long waypost_openapi_size = sizeof waypost_openapi;

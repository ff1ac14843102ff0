// SwiftPM's embedInCode turns a file into a Swift array literal, over which the compiler takes a second for each 15 KB.
// Unlike the assembler's .incbin, #embed makes the file a dependency: after a change it is read again.
#include "description.h"

#pragma clang diagnostic ignored "-Wc23-extensions"
const unsigned char waypost_openapi[] = {
#embed "../API/openapi.json"
};
const long waypost_openapi_size = sizeof waypost_openapi;

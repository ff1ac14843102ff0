#include "build.h"

// A section of its own, which deploy/stamp finds by its name. Volatile, because the compiler must not assume its value.
__attribute__((section("waypost_build"), used)) static const volatile char commit[64] = "";

const char *build_commit(void) { return (const char *)commit; }

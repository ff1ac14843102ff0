// The files of our pages and of exported maps. pages.c puts them into the program.
#pragma once

#include <stddef.h>

struct page_asset {
    const char *name;
    const unsigned char *bytes;
    size_t size;
};

// All files, in no particular order. The last entry has no name and ends the list.
const struct page_asset *page_assets(void);

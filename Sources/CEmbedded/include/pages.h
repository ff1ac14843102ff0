// The files of our pages and of exported maps. pages.c puts them into the program.
#pragma once

#include <stddef.h>
#include <string.h>

struct page_asset {
    const char *name;
    // All files are texts: a zero ends them.
    const unsigned char *text;
};

// All files, in no particular order. The last entry has no name and ends the list.
const struct page_asset *page_assets(void);

static inline size_t page_size(const struct page_asset *asset) { return strlen((const char *)asset->text); }

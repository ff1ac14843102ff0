// The files of our pages and of maps as files, put into the binary by pages.c.
#pragma once

#include <stddef.h>

struct page_asset {
    const char *name;
    const unsigned char *bytes;
    size_t size;
};

// All of them, in no order; the last one has no name.
const struct page_asset *page_assets(void);

// When preloaded into a program, sets and slews its wall clock as the file named by SETTABLE_CLOCK says. The file has two
// settings and the number of the one that counts, which may change at any time. Monotonic clocks are unchanged, as when
// root sets the clock.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

// The clock is ahead by `offset` nanoseconds at `since`, and gains `rate` nanoseconds in each second from then on.
struct setting { int64_t offset, since, rate; };
struct page { int64_t current; struct setting settings[2]; };
static const volatile struct page *page;
static int (*true_time)(clockid_t, struct timespec *);

__attribute__((constructor)) static void begin(void) {
    true_time = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    const char *path = getenv("SETTABLE_CLOCK");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *memory = mmap(NULL, sizeof *page, PROT_READ, MAP_SHARED, file, 0);
    if (memory != MAP_FAILED) page = memory;
    close(file);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    // Constructors of other libraries may run before ours.
    if (!true_time) begin();
    int status = true_time(clock, now);
    if (status || !page || (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE)) return status;
    struct setting set = page->settings[page->current & 1];
    int64_t shown = now->tv_sec * INT64_C(1000000000) + now->tv_nsec;
    shown += set.offset + (int64_t)((__int128)(shown - set.since) * set.rate / 1000000000);
    now->tv_sec = shown / 1000000000;
    now->tv_nsec = shown % 1000000000;
    return 0;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    (void)zone;
    struct timespec shown;
    int status = clock_gettime(CLOCK_REALTIME, &shown);
    now->tv_sec = shown.tv_sec;
    now->tv_usec = shown.tv_nsec / 1000;
    return status;
}

time_t time(time_t *result) {
    struct timespec shown;
    clock_gettime(CLOCK_REALTIME, &shown);
    if (result) *result = shown.tv_sec;
    return shown.tv_sec;
}

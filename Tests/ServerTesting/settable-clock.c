// When preloaded into a program, shifts its wall clock by the nanoseconds in the file named by SETTABLE_CLOCK: eight
// bytes, which may change at any time. Monotonic clocks are unchanged, as when root sets the clock.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *offset;
static int (*true_time)(clockid_t, struct timespec *);

__attribute__((constructor)) static void begin(void) {
    true_time = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    const char *path = getenv("SETTABLE_CLOCK");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *page = mmap(NULL, sizeof *offset, PROT_READ, MAP_SHARED, file, 0);
    if (page != MAP_FAILED) offset = page;
    close(file);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    // Constructors of other libraries may run before ours.
    if (!true_time) begin();
    int status = true_time(clock, now);
    if (status || !offset || (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE)) return status;
    int64_t shown = now->tv_sec * INT64_C(1000000000) + now->tv_nsec + *offset;
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

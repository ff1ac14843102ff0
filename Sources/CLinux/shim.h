// What Swift's Glibc module leaves out: eventfd, prctl, pipe2, and calls that are macros or variadic in C.
#pragma once
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <spawn.h>
#include <unistd.h>

// glibc declares these two only under _GNU_SOURCE, which its headers are not read with here.
int pipe2(int ends[2], int flags);
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);

// A C global can't be read from Swift 6 directly.
extern char **environ;
static inline char **process_environment(void) { return environ; }

// Swift sees `timespec` in a module that can't be imported, and so not its members.
#include <time.h>
static inline long long wall_clock_milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

// glibc has had pidfd_open since 2.36 only, and the kernel since 5.3.
#include <sys/syscall.h>
static inline int open_process(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

// Variadic in C.
#include <sys/prctl.h>
static inline void name_this_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

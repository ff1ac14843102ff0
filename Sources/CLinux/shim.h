// Functions that Swift's Glibc module lacks: eventfd, prctl, pipe2, and calls that are macros or variadic in C.
#pragma once
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <spawn.h>
#include <unistd.h>

// glibc declares these three only under _GNU_SOURCE, which is not set here.
int pipe2(int ends[2], int flags);
int memfd_create(const char *name, unsigned int flags);
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);

// Swift 6 can't read a C global directly.
extern char **environ;
static inline char **process_environment(void) { return environ; }

// Swift finds `timespec` in a module that can't be imported, so it can't see its members.
#include <time.h>
static inline long long wall_clock_milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

// pidfd_open needs kernel 5.3. glibc has a function for it only since 2.36.
#include <sys/syscall.h>
static inline int open_process(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

// prctl is variadic in C.
#include <sys/prctl.h>
static inline void name_this_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

#include <sys/epoll.h>
// glibc declares accept4 only under _GNU_SOURCE. Addresses are untyped: Swift has several types of the same name.
int accept4(int listener, void *address, socklen_t *size, int flags);

// A datagram socket that sends to `path`, or -1. A path that begins with @ is in the abstract namespace.
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
static inline int connect_datagrams(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(path);
    if (length >= sizeof address.sun_path) return -1;
    memcpy(address.sun_path, path, length);
    if (path[0] == '@') address.sun_path[0] = 0;
    int end = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    socklen_t size = (socklen_t)(sizeof(sa_family_t) + length);
    if (end >= 0 && connect(end, (struct sockaddr *)&address, size) != 0) { close(end); return -1; }
    return end;
}

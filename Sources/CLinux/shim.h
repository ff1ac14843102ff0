// What Swift's Glibc module leaves out: eventfd, prctl, and calls that are macros or variadic in C.
#pragma once
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <sys/prctl.h>

// Variadic in C: Swift can't call it.
static inline void name_this_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

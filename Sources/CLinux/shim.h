// What Swift's Glibc module leaves out: eventfd, prctl, and calls that are macros or variadic in C.
#pragma once
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <termios.h>

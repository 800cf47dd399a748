// Preloaded into the program (LD_PRELOAD), does to it what a test cannot wait for. Each trouble comes when a
// file appears whose path is in the environment:
//
//   TROUBLE_TRAP      an instruction that no processor knows, as a failed check of Swift ends
//   TROUBLE_OVERFLOW  calls without end, until the stack is full
//   TROUBLE_SLEEP     the machine has slept for a minute and a half
//   TROUBLE_UNSYNC    nothing keeps the clock in step; TROUBLE_SYNC: something does
//
// TROUBLE_THREAD names the thread that is struck, as it calls poll or write; the program's own by default.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

static int has_come(const char *trouble) {
    const char *path = getenv(trouble);
    return path && access(path, F_OK) == 0;
}

static int deep(volatile char *above) {
    volatile char frame[4096];
    frame[0] = above ? above[0] : 1;
    return deep(frame) + frame[0];
}

static void strike(void) {
    char name[16] = "";
    const char *thread = getenv("TROUBLE_THREAD");
    prctl(PR_GET_NAME, name, 0, 0, 0);
    if (strcmp(name, thread ? thread : "tomorrow") != 0) return;
    if (has_come("TROUBLE_TRAP")) __builtin_trap();
    if (has_come("TROUBLE_OVERFLOW")) deep(NULL);
}

int poll(struct pollfd *descriptors, nfds_t count, int milliseconds) {
    static int (*next)(struct pollfd *, nfds_t, int);
    if (!next) next = (int (*)(struct pollfd *, nfds_t, int))dlsym(RTLD_NEXT, "poll");
    strike();
    return next(descriptors, count, milliseconds);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    static ssize_t (*next)(int, const void *, size_t);
    if (!next) next = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    strike();
    return next(descriptor, bytes, count);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    static int (*next)(clockid_t, struct timespec *);
    if (!next) next = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int result = next(clock, time);
    if (clock == CLOCK_BOOTTIME && has_come("TROUBLE_SLEEP")) time->tv_sec += 90;
    return result;
}

int adjtimex(struct timex *clock) {
    static int (*next)(struct timex *);
    if (!next) next = (int (*)(struct timex *))dlsym(RTLD_NEXT, "adjtimex");
    int result = next(clock);
    if (has_come("TROUBLE_UNSYNC")) {
        clock->status |= STA_UNSYNC;
        return TIME_ERROR;
    }
    if (has_come("TROUBLE_SYNC")) {
        clock->status &= ~STA_UNSYNC;
        return TIME_OK;
    }
    return result;
}

#include "service_log.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

// How long this thread has waited for a processor so far, in nanoseconds.
static int64_t waited_so_far(void) {
    char text[64] = "";
    int file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    if (read(file, text, sizeof text - 1) < 0) text[0] = 0;
    close(file);
    char *second = strchr(text, ' ');
    return second ? strtoll(second, NULL, 10) : 0;
}

void service_log_open(struct service_log *log, const char *path) {
    log->file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
    service_log_reset(log);
}

void service_log_reset(struct service_log *log) { log->served = 0; }

void service_log_served(struct service_log *log, int64_t buffer_nanoseconds) {
    if (log->file < 0) return;
    int64_t moment = now(), waited = waited_so_far(), gap = moment - log->served;
    if (log->served && gap > buffer_nanoseconds / 2) {
        const int64_t millisecond = 1000000;
        dprintf(log->file, "%lld %lld %lld %lld\n", (long long)(moment / millisecond),
                (long long)(gap / millisecond), (long long)((waited - log->waited) / millisecond),
                (long long)(buffer_nanoseconds / millisecond));
    }
    log->served = moment;
    log->waited = waited;
}

void service_log_close(struct service_log *log) {
    if (log->file >= 0) close(log->file);
    log->file = -1;
}

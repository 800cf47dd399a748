// A simulated device's log of late service: a line whenever the program left the device alone for longer than half
// its buffer, and how long the program's thread had to wait for a processor in that time. It tells a stall of the machine
// from a slow program.
//
//     MOMENT GAP WAIT BUFFER
//
// all in milliseconds: CLOCK_MONOTONIC at the end of the gap, the gap, the part of it for which the thread was ready to
// run but did not (/proc/thread-self/schedstat, second field), and what the buffer holds.
#ifndef SERVICE_LOG_H
#define SERVICE_LOG_H

#include <stdint.h>

struct service_log {
    int file;
    int64_t served, waited; // nanoseconds; 0 while the device does not run
};

// Opens the log; a path of NULL keeps none.
void service_log_open(struct service_log *log, const char *path);
// The device starts or stops: what comes before is no gap.
void service_log_reset(struct service_log *log);
// The program reads, writes or asks for the position.
void service_log_served(struct service_log *log, int64_t buffer_nanoseconds);
void service_log_close(struct service_log *log);

#endif

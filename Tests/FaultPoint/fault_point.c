// Does to the n-th of the program's calls that change a file or a folder, over all its threads, what
// $FAULT_POINT says: `before:12`, `middle:3` and `after:7` kill the program (SIGKILL) there, a number such
// as `28:5` (ENOSPC) has the call fail with that error, `28:5+` all from there on. In the middle are writes
// alone: half of the bytes are written; and no short ones, which the kernel makes whole, as a disk does a
// sector. Of the calls that are to fail only those count that can fail so. What goes to the standard streams,
// to pipes and to /dev does not count. $FAULT_POINT_COUNT names a file of eight bytes in which the calls are
// counted, past the program's end.
//
// Preloaded. What a power cut would leave is kept by power_cut.c.
#include "fault_point.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum kind {
    WRITE = 1, SYNC = 2, CREATE = 4, NAME = 8, REMOVE = 16, SIZE = 32, LOCK = 64, TIMES = 128, LONG = 256
};
#define SECTOR 512
#define WRITE_OF(count) (WRITE | (count > SECTOR ? LONG : 0))
enum fate { NOTHING, BEFORE, MIDDLE, AFTER, FAIL };

static struct {
    enum fate fate;
    int error, goes_on;
    unsigned kinds;
    long number;
} point;
static long own_calls, *calls = &own_calls;

// Which calls can fail with an error; those that a signal can break off are the slow ones.
static unsigned kinds_of(int error) {
    switch (error) {
    case ENOSPC:
    case EDQUOT: return WRITE | SYNC | CREATE | NAME | SIZE;
    case EMFILE: return CREATE;
    case ENOLCK: return LOCK;
    case EINTR: return WRITE | CREATE | SIZE | LOCK;
    default: return ~(unsigned)LOCK;
    }
}

__attribute__((constructor)) static void read_environment(void) {
    const char *text = getenv("FAULT_POINT"), *count = getenv("FAULT_POINT_COUNT");
    const char *number = text ? strchr(text, ':') : NULL;
    if (!number) return;
    point.number = atol(number + 1);
    point.goes_on = strchr(number, '+') != NULL;
    point.error = atoi(text);
    point.fate = text[0] == 'b' ? BEFORE : text[0] == 'm' ? MIDDLE : text[0] == 'a' ? AFTER : FAIL;
    point.kinds = point.fate == FAIL ? kinds_of(point.error) : point.fate == MIDDLE ? LONG : ~(unsigned)LOCK;
    int file = count ? NEXT(open)(count, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *memory = mmap(NULL, sizeof *calls, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory != MAP_FAILED) calls = memory;
    close(file);
}

// Counts a call, and says what is to become of it.
static enum fate fate(unsigned kind) {
    if (!(point.kinds & kind)) return NOTHING;
    long number = __atomic_add_fetch(calls, 1, __ATOMIC_SEQ_CST);
    int is_it = number == point.number || (point.goes_on && point.number && number > point.number);
    return is_it ? point.fate : NOTHING;
}

static void die(void) { kill(getpid(), SIGKILL); for (;;) pause(); }

static int counts(int descriptor) {
    struct stat status;
    return descriptor > 2 && fstat(descriptor, &status) == 0
        && (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode));
}

#define AROUND(type, kind, whole, half, failed) \
    enum fate what = fate(kind);                \
    if (what == BEFORE) die();                  \
    if (what == MIDDLE) { (void)!(half); die(); } \
    if (what == FAIL) return failed;            \
    type result = whole;                        \
    if (what == AFTER) die();                   \
    return result
#define FAILED (errno = point.error, -1)

ssize_t write(int descriptor, const void *bytes, size_t count) {
    __typeof__(&write) next = NEXT(write);
    if (!counts(descriptor)) return next(descriptor, bytes, count);
    AROUND(ssize_t, WRITE_OF(count), next(descriptor, bytes, count), next(descriptor, bytes, count / 2),
           FAILED);
}

#define PWRITE(name, place)                                                                               \
    ssize_t name(int descriptor, const void *bytes, size_t count, place offset) {                         \
        AROUND(ssize_t, WRITE_OF(count), NEXT(name)(descriptor, bytes, count, offset),                  \
               NEXT(name)(descriptor, bytes, count / 2, offset), FAILED);                                 \
    }

PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define WHOLE(kind, name, parameters, ...) \
    int name parameters { AROUND(int, kind, NEXT(name)(__VA_ARGS__), 0, FAILED); }

WHOLE(SIZE, ftruncate, (int descriptor, off_t length), descriptor, length)
WHOLE(SIZE, ftruncate64, (int descriptor, off64_t length), descriptor, length)
WHOLE(NAME, rename, (const char *from, const char *to), from, to)
WHOLE(NAME, renameat, (int from_in, const char *from, int to_in, const char *to), from_in, from, to_in, to)
WHOLE(NAME, linkat, (int from_in, const char *from, int to_in, const char *to, int flags), from_in, from, to_in,
      to, flags)
WHOLE(NAME, mkdir, (const char *path, mode_t mode), path, mode)
WHOLE(REMOVE, unlink, (const char *path), path)
WHOLE(REMOVE, unlinkat, (int folder, const char *path, int flags), folder, path, flags)
WHOLE(REMOVE, rmdir, (const char *path), path)
WHOLE(LOCK, flock, (int descriptor, int operation), descriptor, operation)
WHOLE(TIMES, futimens, (int descriptor, const struct timespec times[2]), descriptor, times)

#define SYNCED(name) \
    int name(int descriptor) { AROUND(int, SYNC, synced(descriptor, NEXT(name)), 0, FAILED); }

SYNCED(fsync)
SYNCED(fdatasync)

// These two give their error.
#define ALLOCATES(name, place)                                                                              \
    int name(int descriptor, place offset, place length) {                                                  \
        AROUND(int, SIZE, NEXT(name)(descriptor, offset, length), 0, point.error);                          \
    }

ALLOCATES(posix_fallocate, off_t)
ALLOCATES(posix_fallocate64, off64_t)

// Calls for which the C library has no function that Swift sees.
long syscall(long number, ...) {
    va_list rest;
    va_start(rest, number);
    long a = va_arg(rest, long), b = va_arg(rest, long), c = va_arg(rest, long);
    long d = va_arg(rest, long), e = va_arg(rest, long), f = va_arg(rest, long);
    va_end(rest);
    __typeof__(&syscall) next = NEXT(syscall);
    if (number != SYS_renameat2 && number != SYS_fallocate) return next(number, a, b, c, d, e, f);
    AROUND(long, number == SYS_fallocate ? SIZE : NAME, next(number, a, b, c, d, e, f), 0, FAILED);
}

// Opening changes something where it creates.
#define IS_NAMELESS(flags) ((flags & O_TMPFILE) == O_TMPFILE)
#define CREATES(flags, folder, path) \
    (IS_NAMELESS(flags) || ((flags & O_CREAT) && faccessat(folder, path, F_OK, 0) != 0))
#define MODE(flags)                                                                    \
    mode_t mode = 0;                                                                   \
    if ((flags & O_CREAT) || IS_NAMELESS(flags)) {                                     \
        va_list rest;                                                                  \
        va_start(rest, flags);                                                         \
        mode = (mode_t)va_arg(rest, int);                                              \
        va_end(rest);                                                                  \
    }
#define OPEN(name, parameters, folder, ...)                                            \
    int name parameters {                                                              \
        MODE(flags)                                                                    \
        if (!CREATES(flags, folder, path)) return NEXT(name)(__VA_ARGS__, flags, mode); \
        AROUND(int, CREATE, created(NEXT(name)(__VA_ARGS__, flags, mode)), 0, FAILED); \
    }

OPEN(open, (const char *path, int flags, ...), AT_FDCWD, path)
OPEN(open64, (const char *path, int flags, ...), AT_FDCWD, path)
OPEN(openat, (int in, const char *path, int flags, ...), in, in, path)
OPEN(openat64, (int in, const char *path, int flags, ...), in, in, path)

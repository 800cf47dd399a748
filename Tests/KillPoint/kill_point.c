// Kills the program (SIGKILL) at the n-th of its calls that change a file or a folder, over all its threads.
//
// Preloaded; $KILL_POINT says where, such as `before:12`, `middle:3` or `after:7`. In the middle are writes alone:
// half of the bytes are written. What goes to the standard streams, to pipes and to /dev does not count.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static long calls;

// Counts a call, and says what is to become of it: 'b', 'm', 'a', or 0 for nothing.
static char fate(int can_be_halved) {
    const char *point = getenv("KILL_POINT");
    const char *number = point ? strchr(point, ':') : NULL;
    if (!number || (point[0] == 'm' && !can_be_halved)) return 0;
    return __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST) == atol(number + 1) ? point[0] : 0;
}

static void die(void) { kill(getpid(), SIGKILL); for (;;) pause(); }

static int counts(int descriptor) {
    struct stat status;
    return descriptor > 2 && fstat(descriptor, &status) == 0
        && (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode));
}

#define AROUND(type, halves, whole, half)      \
    char what = fate(halves);                  \
    if (what == 'b') die();                    \
    if (what == 'm') { (void)!(half); die(); } \
    type result = whole;                       \
    if (what == 'a') die();                    \
    return result

ssize_t write(int descriptor, const void *bytes, size_t count) {
    __typeof__(&write) next = NEXT(write);
    if (!counts(descriptor)) return next(descriptor, bytes, count);
    AROUND(ssize_t, 1, next(descriptor, bytes, count), next(descriptor, bytes, count / 2));
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    __typeof__(&pwrite) next = NEXT(pwrite);
    AROUND(ssize_t, 1, next(descriptor, bytes, count, offset), next(descriptor, bytes, count / 2, offset));
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
    __typeof__(&pwrite64) next = NEXT(pwrite64);
    AROUND(ssize_t, 1, next(descriptor, bytes, count, offset), next(descriptor, bytes, count / 2, offset));
}

#define WHOLE(name, parameters, ...) \
    int name parameters { AROUND(int, 0, NEXT(name)(__VA_ARGS__), 0); }

WHOLE(fsync, (int descriptor), descriptor)
WHOLE(fdatasync, (int descriptor), descriptor)
WHOLE(ftruncate, (int descriptor, off_t length), descriptor, length)
WHOLE(ftruncate64, (int descriptor, off64_t length), descriptor, length)
WHOLE(rename, (const char *from, const char *to), from, to)
WHOLE(renameat, (int from_in, const char *from, int to_in, const char *to), from_in, from, to_in, to)
WHOLE(unlink, (const char *path), path)
WHOLE(unlinkat, (int folder, const char *path, int flags), folder, path, flags)
WHOLE(mkdir, (const char *path, mode_t mode), path, mode)
WHOLE(rmdir, (const char *path), path)
WHOLE(futimens, (int descriptor, const struct timespec times[2]), descriptor, times)
WHOLE(posix_fallocate, (int descriptor, off_t offset, off_t length), descriptor, offset, length)
WHOLE(posix_fallocate64, (int descriptor, off64_t offset, off64_t length), descriptor, offset, length)

// Opening changes something where it creates.
#define CREATES(flags, folder, path) ((flags & O_CREAT) && faccessat(folder, path, F_OK, 0) != 0)
#define MODE(flags)                                                                    \
    mode_t mode = 0;                                                                   \
    if (flags & O_CREAT) {                                                             \
        va_list rest;                                                                  \
        va_start(rest, flags);                                                         \
        mode = (mode_t)va_arg(rest, int);                                              \
        va_end(rest);                                                                  \
    }
#define OPEN(name, parameters, folder, ...)                                            \
    int name parameters {                                                              \
        MODE(flags)                                                                    \
        if (!CREATES(flags, folder, path)) return NEXT(name)(__VA_ARGS__, flags, mode); \
        AROUND(int, 0, NEXT(name)(__VA_ARGS__, flags, mode), 0);                       \
    }

OPEN(open, (const char *path, int flags, ...), AT_FDCWD, path)
OPEN(open64, (const char *path, int flags, ...), AT_FDCWD, path)
OPEN(openat, (int in, const char *path, int flags, ...), in, in, path)
OPEN(openat64, (int in, const char *path, int flags, ...), in, in, path)

// What Swift's Glibc module leaves out of the C library's headers.

#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <unistd.h>
#include <wchar.h>

// wchar.h hides it without _XOPEN_SOURCE, which must not be set here: it would change the headers
// that other modules see.
extern int wcwidth(wchar_t character);

// prctl takes a variable number of arguments, which Swift cannot pass.
static inline void tomorrow_name_thread(const char *name) {
    prctl(PR_SET_NAME, name, 0, 0, 0);
}

// The C library of Debian 12 declares them in a header that C code without _GNU_SOURCE cannot read.
static inline int tomorrow_pidfd_open(pid_t process) {
    return (int)syscall(SYS_pidfd_open, process, 0);
}

static inline int tomorrow_pidfd_send_signal(int descriptor, int signal) {
    return (int)syscall(SYS_pidfd_send_signal, descriptor, signal, (void *)0, 0);
}

// Gives the calling thread a stack for signal handlers, so that one can run when its own has overflowed; with
// no memory takes it away. stack_t is incomplete in Swift's eyes.
static inline void tomorrow_use_signal_stack(void *memory, size_t size) {
    stack_t stack = {.ss_sp = memory, .ss_size = size, .ss_flags = memory ? 0 : SS_DISABLE};
    sigaltstack(&stack, (stack_t *)0);
}

// fallocate with FALLOC_FL_KEEP_SIZE (1), for the same reason.
static inline int tomorrow_fallocate(int descriptor, off_t bytes) {
    return (int)syscall(SYS_fallocate, descriptor, 1, (off_t)0, bytes);
}

// renameat2 with RENAME_NOREPLACE (1), for the same reason.
static inline int tomorrow_rename_new(int from, const char *old, int to, const char *name) {
    return (int)syscall(SYS_renameat2, from, old, to, name, 1u);
}

// memfd_create with MFD_CLOEXEC (1), for the same reason.
static inline int tomorrow_memfd_create(const char *name) {
    return (int)syscall(SYS_memfd_create, name, 1u);
}

// The environment as it is, to be handed on to a child; Swift has no safe name for the variable.
static inline char **tomorrow_environment(void) { return __environ; }

// struct timex has a member without a name, for which Swift has none either.
static inline int tomorrow_clock_is_synchronised(void) {
    struct timex clock = {.modes = 0};
    int state = adjtimex(&clock);
    return state >= 0 && state != TIME_ERROR && !(clock.status & STA_UNSYNC);
}

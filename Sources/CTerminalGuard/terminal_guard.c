#include "CTerminalGuard.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

static struct termios before;
static int terminal = -1;
static volatile sig_atomic_t entered;
static int has_begun;

// What a bug of ours ends in: a trap of Swift's, a wild pointer, a stack that overflows, an abort in a library.
static const int crashes[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS};
enum { crash_count = sizeof crashes / sizeof *crashes };
static struct sigaction previous[crash_count];

static void crashed(int number, siginfo_t *information, void *context) {
    (void)context;
    terminal_guard_leave();
    for (int i = 0; i < crash_count; i++)
        if (crashes[i] == number) sigaction(number, &previous[i], NULL);
    // Going back, the instruction fails again, as if this had not been here. What was sent must be sent again.
    if (information->si_code <= 0) raise(number);
}

static void watch_for_crashes(void) {
    // The main thread's; those of the other threads come with them.
    static char stack[64 << 10];
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&alternate, NULL);
    struct sigaction action = {.sa_sigaction = crashed, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < crash_count; i++) sigaction(crashes[i], &action, &previous[i]);
}

int terminal_guard_enter(int descriptor) {
    if (terminal < 0) {
        if (tcgetattr(descriptor, &before) != 0) return -1;
        watch_for_crashes();
        terminal = descriptor;
    }
    struct termios single = before;
    single.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    single.c_cc[VMIN] = 1;
    single.c_cc[VTIME] = 0;
    // What was typed before there was anything to type at is not meant for us.
    int actions = has_begun ? TCSANOW : TCSAFLUSH;
    entered = has_begun = 1;
    return tcsetattr(descriptor, actions, &single);
}

void terminal_guard_leave(void) {
    int error = errno;
    // Whoever has it in the foreground now has set it as he wants it.
    pid_t foreground = tcgetpgrp(terminal);
    if (entered && (foreground < 0 || foreground == getpgrp())) tcsetattr(terminal, TCSANOW, &before);
    entered = 0;
    errno = error;
}

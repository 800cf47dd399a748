// A terminal whose keys are read one by one, and that is as it was after every way out.
//
// In C, as a handler of a crash may only call what is safe in a signal handler, with memory that is there
// already.
#ifndef CTERMINALGUARD_H
#define CTERMINALGUARD_H

// Has the terminal give single keys, unseen, while Ctrl-C and Ctrl-Z stay signals. The first call keeps what
// the terminal was like, and has a crash of this process put that back. Returns 0, or -1 with errno.
int terminal_guard_enter(int descriptor);

// Puts back what the terminal was like; does nothing when it is as it was, or another's. May be called in a
// signal handler.
void terminal_guard_leave(void);

#endif

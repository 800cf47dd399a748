// What the two files of this library share.
#define _GNU_SOURCE
#include <dlfcn.h>

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

// Syncs, and keeps what was synced; see power_cut.c.
__attribute__((visibility("hidden"))) int synced(int descriptor, int (*sync)(int));

// Notes that a file is new, and gives its descriptor, which may be -1.
__attribute__((visibility("hidden"))) int created(int descriptor);

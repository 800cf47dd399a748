#include "CArguments.h"

static int count;
static char **vector;

// glibc calls constructors with main's arguments.
__attribute__((constructor)) static void keep(int argc, char **argv) {
    count = argc;
    vector = argv;
}

int arguments_count(void) { return count; }

const char *arguments_at(int index) { return vector[index]; }

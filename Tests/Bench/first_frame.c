// Notes when sound begins to flow between a process and PulseAudio, for Scripts/bench: preloaded, it stands before
// the call by which ALSA's pulse plugin has the server start (`pa_stream_cork`), whoever uses that plugin. The file
// that FIRST_FRAME names gets the time, in nanoseconds of CLOCK_MONOTONIC.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

void *pa_stream_cork(void *stream, int stops, void *callback, void *data) {
    static int is_noted;
    const char *path = getenv("FIRST_FRAME");
    if (!stops && !is_noted && path) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        FILE *file = fopen(path, "w");
        if (file) fprintf(file, "%lld", now.tv_sec * 1000000000LL + now.tv_nsec);
        if (file) fclose(file);
        is_noted = 1;
    }
    // Not RTLD_NEXT: the plugin's own library is not among those that the program was linked with.
    void *pulse = dlopen("libpulse.so.0", RTLD_NOLOAD | RTLD_LAZY);
    void *(*next)(void *, int, void *, void *) = pulse ? dlsym(pulse, "pa_stream_cork") : NULL;
    return next ? next(stream, stops, callback, data) : NULL;
}

#include "CALSAMessages.h"

#include <alsa/asoundlib.h>
#include <stdarg.h>
#include <stdio.h>

static _Thread_local char words[2048];
static _Thread_local size_t used;

static void append(const char *format, va_list arguments) {
    if (used >= sizeof words - 1) return;
    int length = vsnprintf(words + used, sizeof words - used, format, arguments);
    if (length < 0) return;
    used += (size_t)length;
    if (used > sizeof words - 1) used = sizeof words - 1;
}

static void append_text(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    append(format, arguments);
    va_end(arguments);
}

static void keep(const char *file, int line, const char *function, int error, const char *format, ...) {
    (void)file;
    append_text("%s:%d: ", function, line);
    va_list arguments;
    va_start(arguments, format);
    append(format, arguments);
    va_end(arguments);
    if (error) append_text(": %s", snd_strerror(error));
    append_text("\n");
}

void alsa_messages_install(void) { snd_lib_error_set_handler(keep); }

const char *alsa_messages(void) { return words; }

void alsa_messages_clear(void) {
    used = 0;
    words[0] = '\0';
}

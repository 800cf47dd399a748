#pragma once

// libasound reports on standard error unless it is given a handler for all threads. The handler
// takes a va_list, which Swift cannot: it is here, and keeps each thread's words for that thread.

// Installs the handler for every thread. Called once, before the first PCM is opened.
void alsa_messages_install(void);

// The words that libasound had for this thread since the last alsa_messages_clear, a line each, at
// most 2 KiB. The text stays valid until the thread's next call into libasound.
const char *alsa_messages(void);

// Forgets this thread's words.
void alsa_messages_clear(void);

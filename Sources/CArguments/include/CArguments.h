#pragma once

// The arguments as the kernel gave them. Swift's CommandLine finds them by looking around `environ`, and
// finds none when a preloaded library has changed the environment before main.

// How many there are, the program's name among them.
int arguments_count(void);

// One of them, byte for byte.
const char *arguments_at(int index);

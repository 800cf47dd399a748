// This library is preloaded into the program; nothing of it is called by name.

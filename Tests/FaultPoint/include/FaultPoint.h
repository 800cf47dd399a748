// Nothing to call: the program is started with this library preloaded.

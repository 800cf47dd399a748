// The part of sd-bus that is used here.
//
// libsystemd brings six more libraries, which took a fifth of the time in which a `list` starts; and only who has a bus
// needs it. So it is loaded by the first sd_bus_new, which fails with -ENOSYS where it cannot be.
#ifndef CSYSTEMD_H
#define CSYSTEMD_H

#include <systemd/sd-bus.h>

#endif

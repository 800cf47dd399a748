// The interfaces of a media player on the session bus (MPRIS 2.2), as sd-bus wants them described.
//
// In C, as the tables are made by macros that Swift does not see.
#ifndef CMEDIAPLAYER_H
#define CMEDIAPLAYER_H

#include "CSystemd.h"

// Who answers. Each gives a negative errno, or has set the error, when it refuses.
struct media_player_calls {
    void *context;
    // A method was called. The answer, which says nothing, is sent when this returns 0 or more.
    int (*method)(void *context, sd_bus_message *message, sd_bus_error *error);
    // Puts a property's value into a message.
    int (*get)(void *context, const char *property, sd_bus_message *reply);
    // Takes a property's value from a message.
    int (*set)(void *context, const char *property, sd_bus_message *value, sd_bus_error *error);
};

// Serves the interfaces on a connection until that is closed. The calls must live as long.
int media_player_serve(sd_bus *bus, const struct media_player_calls *calls);

#endif

#include "CMediaPlayer.h"

#include <errno.h>
#include <stddef.h>

static int method(sd_bus_message *message, void *userdata, sd_bus_error *error) {
    const struct media_player_calls *calls = userdata;
    int result = calls->method(calls->context, message, error);
    return result < 0 ? result : sd_bus_reply_method_return(message, NULL);
}

static int get(sd_bus *bus, const char *path, const char *interface, const char *property,
               sd_bus_message *reply, void *userdata, sd_bus_error *error) {
    (void)bus, (void)path, (void)interface, (void)error;
    const struct media_player_calls *calls = userdata;
    return calls->get(calls->context, property, reply);
}

static int set(sd_bus *bus, const char *path, const char *interface, const char *property,
               sd_bus_message *value, void *userdata, sd_bus_error *error) {
    (void)bus, (void)path, (void)interface;
    const struct media_player_calls *calls = userdata;
    return calls->set(calls->context, property, value, error);
}

// sd-bus keeps the tables' addresses, and may look at them after the object is gone: they are static.

#define METHOD(name) SD_BUS_METHOD(name, "", "", method, SD_BUS_VTABLE_UNPRIVILEGED)
#define METHOD_WITH(name, signature, names) \
    SD_BUS_METHOD_WITH_NAMES(name, signature, names, "", , method, SD_BUS_VTABLE_UNPRIVILEGED)
#define CONSTANT(name, type) SD_BUS_PROPERTY(name, type, get, 0, SD_BUS_VTABLE_PROPERTY_CONST)
#define CHANGING(name, type) SD_BUS_PROPERTY(name, type, get, 0, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE)
#define WRITABLE(name, type)                            \
    SD_BUS_WRITABLE_PROPERTY(name, type, get, set, 0, \
                             SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE | SD_BUS_VTABLE_UNPRIVILEGED)

// Without what is optional and does not concern a program without a window: Fullscreen, CanSetFullscreen and
// DesktopEntry.
static const sd_bus_vtable root[] = {
    SD_BUS_VTABLE_START(0),
    METHOD("Raise"),
    METHOD("Quit"),
    CONSTANT("CanQuit", "b"),
    CONSTANT("CanRaise", "b"),
    CONSTANT("HasTrackList", "b"),
    CONSTANT("Identity", "s"),
    CONSTANT("SupportedUriSchemes", "as"),
    CONSTANT("SupportedMimeTypes", "as"),
    SD_BUS_VTABLE_END,
};

static const sd_bus_vtable player[] = {
    SD_BUS_VTABLE_START(0),
    METHOD("Next"),
    METHOD("Previous"),
    METHOD("Pause"),
    METHOD("PlayPause"),
    METHOD("Stop"),
    METHOD("Play"),
    METHOD_WITH("Seek", "x", SD_BUS_PARAM(Offset)),
    METHOD_WITH("SetPosition", "ox", SD_BUS_PARAM(TrackId) SD_BUS_PARAM(Position)),
    METHOD_WITH("OpenUri", "s", SD_BUS_PARAM(Uri)),
    SD_BUS_SIGNAL_WITH_NAMES("Seeked", "x", SD_BUS_PARAM(Position), 0),
    CHANGING("PlaybackStatus", "s"),
    WRITABLE("LoopStatus", "s"),
    WRITABLE("Rate", "d"),
    WRITABLE("Shuffle", "b"),
    CHANGING("Metadata", "a{sv}"),
    WRITABLE("Volume", "d"),
    // It changes all the time: whoever wants it asks.
    SD_BUS_PROPERTY("Position", "x", get, 0, 0),
    CONSTANT("MinimumRate", "d"),
    CONSTANT("MaximumRate", "d"),
    CHANGING("CanGoNext", "b"),
    CHANGING("CanGoPrevious", "b"),
    CONSTANT("CanPlay", "b"),
    CONSTANT("CanPause", "b"),
    CONSTANT("CanSeek", "b"),
    CONSTANT("CanControl", "b"),
    SD_BUS_VTABLE_END,
};

int media_player_serve(sd_bus *bus, const struct media_player_calls *calls) {
    const char *path = "/org/mpris/MediaPlayer2";
    void *userdata = (void *)calls;
    int result = sd_bus_add_object_vtable(bus, NULL, path, "org.mpris.MediaPlayer2", root, userdata);
    if (result < 0) return result;
    return sd_bus_add_object_vtable(bus, NULL, path, "org.mpris.MediaPlayer2.Player", player, userdata);
}

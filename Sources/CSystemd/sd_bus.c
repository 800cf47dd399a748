#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

// Each function hands over to libsystemd's of the same name. They are hidden, as that library calls its own.
#pragma GCC visibility push(hidden)
#include "CSystemd.h"

#define FUNCTIONS(X)                                                                                        \
    X(sd_bus_new) X(sd_bus_set_address) X(sd_bus_set_bus_client) X(sd_bus_start) X(sd_bus_close)            \
    X(sd_bus_unref) X(sd_bus_get_fd) X(sd_bus_get_events) X(sd_bus_get_timeout) X(sd_bus_process)           \
    X(sd_bus_wait) X(sd_bus_send) X(sd_bus_add_object_vtable) X(sd_bus_request_name_async)                  \
    X(sd_bus_emit_properties_changed_strv) X(sd_bus_reply_method_return) X(sd_bus_error_set)                \
    X(sd_bus_message_new_method_call) X(sd_bus_message_new_signal) X(sd_bus_message_ref)                    \
    X(sd_bus_message_unref) X(sd_bus_message_append_basic) X(sd_bus_message_open_container)                 \
    X(sd_bus_message_close_container) X(sd_bus_message_read_basic) X(sd_bus_message_get_error)              \
    X(sd_bus_message_is_method_error) X(sd_bus_message_get_reply_cookie) X(sd_bus_message_get_member)

static struct {
#define POINTER(name) __typeof__(&name) name;
    FUNCTIONS(POINTER)
} real;

static int is_loaded;

static void load(void) {
    void *library = dlopen("libsystemd.so.0", RTLD_LAZY | RTLD_LOCAL);
    if (!library) return;
#define FIND(name) \
    if (!(real.name = (__typeof__(&name))dlsym(library, #name))) return;
    FUNCTIONS(FIND)
    is_loaded = 1;
}

int sd_bus_new(sd_bus **bus) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_loaded ? real.sd_bus_new(bus) : -ENOSYS;
}

// Whoever calls one of these has a bus: the library is there.

int sd_bus_set_address(sd_bus *bus, const char *address) { return real.sd_bus_set_address(bus, address); }

int sd_bus_set_bus_client(sd_bus *bus, int is_client) { return real.sd_bus_set_bus_client(bus, is_client); }

int sd_bus_start(sd_bus *bus) { return real.sd_bus_start(bus); }

void sd_bus_close(sd_bus *bus) { real.sd_bus_close(bus); }

sd_bus *sd_bus_unref(sd_bus *bus) { return real.sd_bus_unref(bus); }

int sd_bus_get_fd(sd_bus *bus) { return real.sd_bus_get_fd(bus); }

int sd_bus_get_events(sd_bus *bus) { return real.sd_bus_get_events(bus); }

int sd_bus_get_timeout(sd_bus *bus, uint64_t *microseconds) {
    return real.sd_bus_get_timeout(bus, microseconds);
}

int sd_bus_process(sd_bus *bus, sd_bus_message **message) { return real.sd_bus_process(bus, message); }

int sd_bus_wait(sd_bus *bus, uint64_t microseconds) { return real.sd_bus_wait(bus, microseconds); }

int sd_bus_send(sd_bus *bus, sd_bus_message *message, uint64_t *cookie) {
    return real.sd_bus_send(bus, message, cookie);
}

int sd_bus_add_object_vtable(sd_bus *bus, sd_bus_slot **slot, const char *path, const char *interface,
                             const sd_bus_vtable *vtable, void *userdata) {
    return real.sd_bus_add_object_vtable(bus, slot, path, interface, vtable, userdata);
}

int sd_bus_request_name_async(sd_bus *bus, sd_bus_slot **slot, const char *name, uint64_t flags,
                              sd_bus_message_handler_t callback, void *userdata) {
    return real.sd_bus_request_name_async(bus, slot, name, flags, callback, userdata);
}

int sd_bus_emit_properties_changed_strv(sd_bus *bus, const char *path, const char *interface, char **names) {
    return real.sd_bus_emit_properties_changed_strv(bus, path, interface, names);
}

// Only for an answer without values.
int sd_bus_reply_method_return(sd_bus_message *call, const char *types, ...) {
    return types ? -EINVAL : real.sd_bus_reply_method_return(call, NULL);
}

int sd_bus_error_set(sd_bus_error *error, const char *name, const char *message) {
    return real.sd_bus_error_set(error, name, message);
}

int sd_bus_message_new_method_call(sd_bus *bus, sd_bus_message **message, const char *destination,
                                   const char *path, const char *interface, const char *member) {
    return real.sd_bus_message_new_method_call(bus, message, destination, path, interface, member);
}

int sd_bus_message_new_signal(sd_bus *bus, sd_bus_message **message, const char *path, const char *interface,
                              const char *member) {
    return real.sd_bus_message_new_signal(bus, message, path, interface, member);
}

sd_bus_message *sd_bus_message_ref(sd_bus_message *message) { return real.sd_bus_message_ref(message); }

sd_bus_message *sd_bus_message_unref(sd_bus_message *message) { return real.sd_bus_message_unref(message); }

int sd_bus_message_append_basic(sd_bus_message *message, char type, const void *value) {
    return real.sd_bus_message_append_basic(message, type, value);
}

int sd_bus_message_open_container(sd_bus_message *message, char type, const char *contents) {
    return real.sd_bus_message_open_container(message, type, contents);
}

int sd_bus_message_close_container(sd_bus_message *message) {
    return real.sd_bus_message_close_container(message);
}

int sd_bus_message_read_basic(sd_bus_message *message, char type, void *value) {
    return real.sd_bus_message_read_basic(message, type, value);
}

const sd_bus_error *sd_bus_message_get_error(sd_bus_message *message) {
    return real.sd_bus_message_get_error(message);
}

int sd_bus_message_is_method_error(sd_bus_message *message, const char *name) {
    return real.sd_bus_message_is_method_error(message, name);
}

int sd_bus_message_get_reply_cookie(sd_bus_message *message, uint64_t *cookie) {
    return real.sd_bus_message_get_reply_cookie(message, cookie);
}

const char *sd_bus_message_get_member(sd_bus_message *message) {
    return real.sd_bus_message_get_member(message);
}

// What the tables of methods refer to, so that they are linked with a library that knows their form (of 242 on).
const unsigned sd_bus_object_vtable_format = 242;

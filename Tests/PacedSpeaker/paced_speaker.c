// A loudspeaker that plays in real time, adds what was heard to a file, and fails when it is told to. An ioplug
// of libasound:
//
//     pcm.speaker { type paced path "/tmp/heard.raw" rate 48000 channels 1 fault "gone" at 500 for 2000 }
//
// path: what was heard, as it came: interleaved, 16 or 32 bits a sample
// note: gets the time of the process's first start, in nanoseconds of CLOCK_MONOTONIC
// rate, channels: the only ones that it has; any, where they are not given
// silence 1: wherever it runs dry, a frame of silence is heard
// fault: at so many milliseconds after the process has first started it, for so many milliseconds,
//   gone            it is unplugged (ENODEV), and cannot be opened; without a duration never again
//   suspend         the machine sleeps; afterwards a resume succeeds, and what was inside is heard
//   suspended       … and it never does (a prepare does); what was inside is lost
//   stalled         nothing is taken any more, without an error
//
// What is heard moves on whenever somebody looks, as a card's position does from one look to the next: so
// what a program has seen of the position is exactly what is in the file.
#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

struct speaker {
    snd_pcm_ioplug_t io;
    unsigned rate, channels; // 0 is any
    long silence;
    char fault[16];
    int file, note;
    char *ring;              // what was given and not heard yet
    size_t frame_bytes;
    int64_t start;           // nanoseconds; 0 while it does not run
    int64_t base;            // what was heard when it was started or resumed
    int64_t given, heard;    // frames since it was prepared
    int failing;
};

// An unplugged card is so for whoever opens it next, too.
static int64_t first_start, fault_at, fault_for;
static int happened;

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static int is(const struct speaker *speaker, const char *fault) { return strcmp(speaker->fault, fault) == 0; }

// Whether the fault's time has come.
static int has_begun(void) { return first_start && now() >= first_start + fault_at; }

// Whether that time is over.
static int has_passed(void) { return fault_for && now() >= first_start + fault_at + fault_for; }

static int start(snd_pcm_ioplug_t *io) {
    struct speaker *speaker = io->private_data;
    speaker->start = now();
    speaker->base = speaker->heard;
    if (first_start) return 0;
    first_start = speaker->start;
    dprintf(speaker->note, "%lld", (long long)first_start);
    return 0;
}

static int stop(snd_pcm_ioplug_t *io) {
    struct speaker *speaker = io->private_data;
    speaker->start = 0;
    return 0;
}

static int hw_params(snd_pcm_ioplug_t *io, snd_pcm_hw_params_t *parameters) {
    struct speaker *speaker = io->private_data;
    (void)parameters;
    free(speaker->ring);
    speaker->frame_bytes = io->channels * (io->format == SND_PCM_FORMAT_S16_LE ? 2 : 4);
    speaker->ring = calloc(io->buffer_size, speaker->frame_bytes);
    return speaker->ring ? 0 : -ENOMEM;
}

static int prepare(snd_pcm_ioplug_t *io) {
    struct speaker *speaker = io->private_data;
    if (is(speaker, "gone") && speaker->failing) return -ENODEV;
    speaker->failing = 0;
    speaker->start = speaker->base = speaker->given = speaker->heard = 0;
    return 0;
}

static int resume(snd_pcm_ioplug_t *io) {
    struct speaker *speaker = io->private_data;
    // An ioplug's resume always answers 0; only the state tells.
    if (!is(speaker, "suspend") || !has_passed()) return 0;
    speaker->failing = 0;
    start(io);
    return snd_pcm_ioplug_set_state(io, SND_PCM_STATE_RUNNING);
}

// Lets so many more frames be heard.
static void hear(struct speaker *speaker, int64_t until) {
    int64_t size = speaker->io.buffer_size;
    while (speaker->heard < until) {
        int64_t offset = speaker->heard % size;
        int64_t count = until - speaker->heard < size - offset ? until - speaker->heard : size - offset;
        const char *bytes = speaker->ring + offset * speaker->frame_bytes;
        if (write(speaker->file, bytes, count * speaker->frame_bytes) < 0) abort();
        speaker->heard += count;
    }
}

// Lets be heard what the time since the start asks for, and says how many frames that would be.
static int64_t hear_by_now(struct speaker *speaker) {
    if (!speaker->start) return speaker->heard;
    int64_t moment = now();
    int stalls = is(speaker, "stalled") && has_begun();
    if (stalls && moment > first_start + fault_at) moment = first_start + fault_at;
    int64_t until = speaker->base + (moment - speaker->start) * speaker->io.rate / 1000000000;
    hear(speaker, until < speaker->given ? until : speaker->given);
    return until;
}

static snd_pcm_sframes_t pointer(snd_pcm_ioplug_t *io) {
    struct speaker *speaker = io->private_data;
    // A position says nothing of whole rounds, so the card itself must see that nobody came to fill it.
    if (hear_by_now(speaker) > speaker->given) {
        static const char silence[64];
        if (speaker->silence && write(speaker->file, silence, speaker->frame_bytes) < 0) abort();
        return -EPIPE;
    }
    return speaker->heard % io->buffer_size;
}

static int delay(snd_pcm_ioplug_t *io, snd_pcm_sframes_t *frames) {
    struct speaker *speaker = io->private_data;
    if (speaker->failing) return -ENODEV;
    hear_by_now(speaker);
    *frames = speaker->given - speaker->heard;
    return 0;
}

static snd_pcm_sframes_t transfer(
    snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset,
    snd_pcm_uframes_t size) {
    struct speaker *speaker = io->private_data;
    if (speaker->failing) return is(speaker, "gone") ? -ENODEV : -ESTRPIPE;
    const char *from = (const char *)areas[0].addr + areas[0].first / 8 + offset * speaker->frame_bytes;
    for (snd_pcm_uframes_t frame = 0; frame < size; frame++, speaker->given++) {
        char *to = speaker->ring + speaker->given % (int64_t)io->buffer_size * speaker->frame_bytes;
        memcpy(to, from + frame * speaker->frame_bytes, speaker->frame_bytes);
    }
    return size;
}

static int poll_revents(snd_pcm_ioplug_t *io, struct pollfd *entries, unsigned count, unsigned short *events) {
    struct speaker *speaker = io->private_data;
    uint64_t ticks;
    (void)count;
    if (read(entries[0].fd, &ticks, sizeof ticks) < 0) ticks = 0;
    *events = POLLOUT;
    int suspends = is(speaker, "suspend") || is(speaker, "suspended");
    if ((suspends || is(speaker, "gone")) && has_begun() && !happened) {
        happened = speaker->failing = 1;
        snd_pcm_ioplug_set_state(io, suspends ? SND_PCM_STATE_SUSPENDED : SND_PCM_STATE_DISCONNECTED);
        *events = POLLERR;
    }
    return 0;
}

static int close_speaker(snd_pcm_ioplug_t *io) {
    struct speaker *speaker = io->private_data;
    close(io->poll_fd);
    close(speaker->file);
    close(speaker->note);
    free(speaker->ring);
    free(speaker);
    return 0;
}

static const snd_pcm_ioplug_callback_t callbacks = {
    .start = start, .stop = stop, .pointer = pointer, .delay = delay, .transfer = transfer,
    .close = close_speaker, .hw_params = hw_params, .prepare = prepare, .resume = resume,
    .poll_revents = poll_revents,
};

static int constrain(struct speaker *speaker) {
    static const unsigned accesses[] = {SND_PCM_ACCESS_RW_INTERLEAVED, SND_PCM_ACCESS_MMAP_INTERLEAVED};
    static const unsigned formats[] = {SND_PCM_FORMAT_S16_LE, SND_PCM_FORMAT_S32_LE};
    snd_pcm_ioplug_t *io = &speaker->io;
    unsigned least_rate = speaker->rate ? speaker->rate : 1000, most_rate = speaker->rate ? speaker->rate : 384000;
    unsigned least = speaker->channels ? speaker->channels : 1, most = speaker->channels ? speaker->channels : 8;
    int error = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_ACCESS, 2, accesses);
    if (error >= 0) error = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_FORMAT, 2, formats);
    if (error >= 0) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_RATE, least_rate, most_rate);
    if (error >= 0) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_CHANNELS, least, most);
    if (error >= 0) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIOD_BYTES, 64, 1 << 16);
    if (error >= 0) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIODS, 2, 64);
    return error;
}

SND_PCM_PLUGIN_DEFINE_FUNC(paced) {
    (void)root;
    if (stream != SND_PCM_STREAM_PLAYBACK) return -ENODEV;
    struct speaker *speaker = calloc(1, sizeof *speaker);
    if (!speaker) return -ENOMEM;
    const char *path = "/dev/null", *note = "/dev/null", *fault = "";
    long channels = 0, rate = 0, at = 0, duration = 0;
    snd_config_iterator_t entry, next;
    snd_config_for_each(entry, next, conf) {
        snd_config_t *field = snd_config_iterator_entry(entry);
        const char *id;
        if (snd_config_get_id(field, &id) < 0) continue;
        if (strcmp(id, "path") == 0) snd_config_get_string(field, &path);
        if (strcmp(id, "note") == 0) snd_config_get_string(field, &note);
        if (strcmp(id, "fault") == 0) snd_config_get_string(field, &fault);
        if (strcmp(id, "rate") == 0) snd_config_get_integer(field, &rate);
        if (strcmp(id, "channels") == 0) snd_config_get_integer(field, &channels);
        if (strcmp(id, "silence") == 0) snd_config_get_integer(field, &speaker->silence);
        if (strcmp(id, "at") == 0) snd_config_get_integer(field, &at);
        if (strcmp(id, "for") == 0) snd_config_get_integer(field, &duration);
    }
    strncpy(speaker->fault, fault, sizeof speaker->fault - 1);
    speaker->rate = (unsigned)rate;
    speaker->channels = (unsigned)channels;
    fault_at = at * INT64_C(1000000);
    fault_for = duration * INT64_C(1000000);
    speaker->file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    speaker->note = open(note, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    speaker->io.version = SND_PCM_IOPLUG_VERSION;
    speaker->io.name = "A loudspeaker that remembers what was heard";
    speaker->io.callback = &callbacks;
    speaker->io.private_data = speaker;
    speaker->io.poll_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    speaker->io.poll_events = POLLIN;
    struct itimerspec period = {{0, 5000000}, {0, 5000000}};
    timerfd_settime(speaker->io.poll_fd, 0, &period, NULL);
    int is_away = is(speaker, "gone") && happened && !has_passed();
    int error = is_away ? -ENODEV : snd_pcm_ioplug_create(&speaker->io, name, stream, mode);
    if (error >= 0) {
        error = constrain(speaker);
        if (error < 0) snd_pcm_ioplug_delete(&speaker->io);
        if (error < 0) return error;
        *pcmp = speaker->io.pcm;
        return 0;
    }
    close(speaker->io.poll_fd);
    close(speaker->file);
    close(speaker->note);
    free(speaker);
    return error;
}

SND_PCM_PLUGIN_SYMBOL(paced);

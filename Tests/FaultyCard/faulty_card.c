// A sound card that captures, in real time, the number of each frame since it was first started, and that
// fails when it is told to. An ioplug of libasound:
//
//     pcm.mic { type faulty rate 48000 channels 1 fault "overrun" at 500 for 200 }
//
// only 2: of its channels only the second hears something
// began "path": the file is given the moment of the first start, in nanoseconds of CLOCK_BOOTTIME
// level 8192: a tone of 24 kHz of this height, in 16 bits, in place of the numbers
// fault: at so many milliseconds after its first start, for so many milliseconds,
//   overrun         the frames of that time are lost, and the driver says so (EPIPE)
//   lost            they are lost, and nobody says anything
//   suspend         the machine sleeps; afterwards a resume succeeds
//   suspended       … and it never does (a prepare does)
//   dead            … and nothing ever brings it back
//   gone            it is unplugged (ENODEV)
//   stalled         nothing comes any more, without an error
//   late            the first frame comes so much later than the start
#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

struct card {
    snd_pcm_ioplug_t io;
    unsigned rate, least_channels, most_channels;
    long only, level;
    char fault[16], began[256];
    int64_t fault_at, fault_frames; // frames since the first start
    int64_t first_start, start;     // nanoseconds
    int64_t base, delivered;        // the number of the first frame since the start, and what came since
    int happened, failing;
};

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_BOOTTIME, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static int64_t frames_since(const struct card *card, int64_t moment) {
    return (now() - moment) * card->rate / 1000000000;
}

static int is(const struct card *card, const char *fault) { return strcmp(card->fault, fault) == 0; }

// Whether the fault's time has come, and its duration is not over.
static int is_time(const struct card *card) {
    return card->first_start && frames_since(card, card->first_start) >= card->fault_at && !card->happened;
}

static int start(snd_pcm_ioplug_t *io) {
    struct card *card = io->private_data;
    card->start = now();
    int is_first = !card->first_start;
    if (is_first) card->first_start = card->start;
    card->base = frames_since(card, card->first_start);
    card->delivered = 0;
    FILE *file = is_first && card->began[0] ? fopen(card->began, "w") : NULL;
    if (file) {
        fprintf(file, "%lld\n", (long long)card->start);
        fclose(file);
    }
    return 0;
}

static int stop(snd_pcm_ioplug_t *io) {
    (void)io;
    return 0;
}

static int prepare(snd_pcm_ioplug_t *io) {
    struct card *card = io->private_data;
    if (is(card, "dead") && card->failing) return -ENODEV;
    card->failing = 0;
    return 0;
}

static int resume(snd_pcm_ioplug_t *io) {
    struct card *card = io->private_data;
    // An ioplug's resume always answers 0; only the state tells.
    if (!is(card, "suspend")) return 0;
    if (frames_since(card, card->first_start) < card->fault_at + card->fault_frames) return 0;
    card->failing = 0;
    return snd_pcm_ioplug_set_state(io, SND_PCM_STATE_PREPARED);
}

// How many frames the card has captured since its start.
static int64_t captured(struct card *card) {
    int64_t frames = frames_since(card, card->start);
    if (is(card, "late")) return frames > card->fault_frames ? frames - card->fault_frames : 0;
    if (is(card, "stalled") || is(card, "lost")) {
        int64_t until = card->fault_at - card->base;
        if (frames <= until) return frames;
        if (is(card, "stalled")) return until;
        return frames <= until + card->fault_frames ? until : frames - card->fault_frames;
    }
    return frames;
}

static snd_pcm_sframes_t pointer(snd_pcm_ioplug_t *io) {
    struct card *card = io->private_data;
    if (is(card, "overrun")) {
        int64_t frames = frames_since(card, card->first_start);
        // While it lasts, the driver hears nothing; then it says that it was too late.
        if (is_time(card)) {
            if (frames >= card->fault_at + card->fault_frames) {
                card->happened = 1;
                return -EPIPE;
            }
            return (card->fault_at - card->base) % io->buffer_size;
        }
    }
    // A position says nothing of whole rounds, so the card itself must see that nobody came to empty it.
    if (captured(card) - card->delivered > (int64_t)io->buffer_size) return -EPIPE;
    return captured(card) % io->buffer_size;
}

static snd_pcm_sframes_t transfer(
    snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset,
    snd_pcm_uframes_t size) {
    struct card *card = io->private_data;
    if (card->failing) return is(card, "gone") ? -ENODEV : -ESTRPIPE;
    for (snd_pcm_uframes_t frame = 0; frame < size; frame++, card->delivered++) {
        int64_t number = card->base + card->delivered;
        if (is(card, "lost") && number >= card->fault_at) number += card->fault_frames;
        if (is(card, "late")) number += card->fault_frames;
        for (unsigned channel = 0; channel < io->channels; channel++) {
            char *sample = (char *)areas[channel].addr +
                           (areas[channel].first + (offset + frame) * areas[channel].step) / 8;
            // Never 0, which is what a gap is filled with.
            if (card->only && channel + 1 != card->only) {
                memset(sample, 0, io->format == SND_PCM_FORMAT_S16_LE ? 2 : 4);
            } else if (card->level) {
                long level = number % 2 ? card->level : -card->level;
                if (io->format == SND_PCM_FORMAT_S16_LE) *(int16_t *)sample = (int16_t)level;
                else *(int32_t *)sample = (int32_t)(level << 16);
            } else if (io->format == SND_PCM_FORMAT_S16_LE) {
                *(int16_t *)sample = (int16_t)(number % 32767 + 1);
            } else {
                *(int32_t *)sample = (int32_t)((number % 8388607 + 1) << 8);
            }
        }
    }
    return size;
}

static int poll_revents(snd_pcm_ioplug_t *io, struct pollfd *entries, unsigned count, unsigned short *events) {
    struct card *card = io->private_data;
    uint64_t ticks;
    (void)count;
    if (read(entries[0].fd, &ticks, sizeof ticks) < 0) ticks = 0;
    *events = POLLIN;
    int suspends = is(card, "suspend") || is(card, "suspended") || is(card, "dead");
    if ((suspends || is(card, "gone")) && is_time(card)) {
        card->happened = card->failing = 1;
        snd_pcm_ioplug_set_state(io, suspends ? SND_PCM_STATE_SUSPENDED : SND_PCM_STATE_DISCONNECTED);
        *events = POLLERR;
    }
    return 0;
}

static int close_card(snd_pcm_ioplug_t *io) {
    struct card *card = io->private_data;
    close(io->poll_fd);
    free(card);
    return 0;
}

static const snd_pcm_ioplug_callback_t callbacks = {
    .start = start, .stop = stop, .pointer = pointer, .transfer = transfer, .close = close_card,
    .prepare = prepare, .resume = resume, .poll_revents = poll_revents,
};

static int constrain(struct card *card) {
    static const unsigned accesses[] = {SND_PCM_ACCESS_RW_INTERLEAVED, SND_PCM_ACCESS_MMAP_INTERLEAVED};
    static const unsigned formats[] = {SND_PCM_FORMAT_S16_LE, SND_PCM_FORMAT_S32_LE};
    snd_pcm_ioplug_t *io = &card->io;
    int error = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_ACCESS, 2, accesses);
    if (error >= 0) error = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_FORMAT, 2, formats);
    if (error >= 0) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_RATE, card->rate, card->rate);
    if (error >= 0)
        error = snd_pcm_ioplug_set_param_minmax(
            io, SND_PCM_IOPLUG_HW_CHANNELS, card->least_channels, card->most_channels);
    if (error >= 0) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIOD_BYTES, 64, 1 << 16);
    if (error >= 0) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIODS, 2, 64);
    return error;
}

SND_PCM_PLUGIN_DEFINE_FUNC(faulty) {
    (void)root;
    struct card *card = calloc(1, sizeof *card);
    if (!card) return -ENOMEM;
    card->rate = 48000;
    long channels = 0, rate = 48000, at = 0, duration = 0;
    snd_config_iterator_t entry, next;
    snd_config_for_each(entry, next, conf) {
        snd_config_t *field = snd_config_iterator_entry(entry);
        const char *id, *text;
        if (snd_config_get_id(field, &id) < 0) continue;
        if (strcmp(id, "rate") == 0) snd_config_get_integer(field, &rate);
        if (strcmp(id, "channels") == 0) snd_config_get_integer(field, &channels);
        if (strcmp(id, "only") == 0) snd_config_get_integer(field, &card->only);
        if (strcmp(id, "level") == 0) snd_config_get_integer(field, &card->level);
        if (strcmp(id, "at") == 0) snd_config_get_integer(field, &at);
        if (strcmp(id, "for") == 0) snd_config_get_integer(field, &duration);
        if (strcmp(id, "began") == 0 && snd_config_get_string(field, &text) >= 0)
            strncpy(card->began, text, sizeof card->began - 1);
        if (strcmp(id, "fault") == 0 && snd_config_get_string(field, &text) >= 0)
            strncpy(card->fault, text, sizeof card->fault - 1);
    }
    card->rate = (unsigned)rate;
    card->least_channels = channels ? (unsigned)channels : 1;
    card->most_channels = channels ? (unsigned)channels : 8;
    card->fault_at = at * rate / 1000;
    card->fault_frames = duration * rate / 1000;
    card->io.version = SND_PCM_IOPLUG_VERSION;
    card->io.name = "A card that fails when it is told to";
    card->io.callback = &callbacks;
    card->io.private_data = card;
    card->io.poll_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    card->io.poll_events = POLLIN;
    struct itimerspec period = {{0, 5000000}, {0, 5000000}};
    timerfd_settime(card->io.poll_fd, 0, &period, NULL);
    int error = stream == SND_PCM_STREAM_CAPTURE ? snd_pcm_ioplug_create(&card->io, name, stream, mode) : -ENODEV;
    if (error >= 0) {
        error = constrain(card);
        if (error < 0) snd_pcm_ioplug_delete(&card->io);
        if (error < 0) return error;
        *pcmp = card->io.pcm;
        return 0;
    }
    close(card->io.poll_fd);
    free(card);
    return error;
}

SND_PCM_PLUGIN_SYMBOL(faulty);

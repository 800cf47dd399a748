// The least that a recorder can do, for Scripts/bench to compare with: periods of 20 ms from a device of
// libasound straight into a file of libsndfile, with the same settings as the program's own.
//
//     capture_loop DEVICE FORMAT SECONDS FILE      48 kHz, mono, 16 bits; FORMAT is flac, opus or wav
#include <alsa/asoundlib.h>
#include <sndfile.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { rate = 48000, period = rate / 50 };

static void fail(const char *what, const char *why) {
    fprintf(stderr, "capture_loop: cannot %s: %s\n", what, why);
    exit(1);
}

int main(int count, char **arguments) {
    if (count != 5) fail("begin", "four arguments are needed");
    SF_INFO information = {.samplerate = rate, .channels = 1, .format = SF_FORMAT_WAV | SF_FORMAT_PCM_16};
    if (strcmp(arguments[2], "flac") == 0) information.format = SF_FORMAT_FLAC | SF_FORMAT_PCM_16;
    if (strcmp(arguments[2], "opus") == 0) information.format = SF_FORMAT_OGG | SF_FORMAT_OPUS;
    SNDFILE *file = sf_open(arguments[4], SFM_WRITE, &information);
    if (!file) fail("write", sf_strerror(NULL));
    double milliseconds = 100;
    if (strcmp(arguments[2], "opus") == 0)
        sf_command(file, SFC_SET_OGG_PAGE_LATENCY_MS, &milliseconds, sizeof milliseconds);

    snd_pcm_t *device;
    int error = snd_pcm_open(&device, arguments[1], SND_PCM_STREAM_CAPTURE, 0);
    if (error >= 0)
        error = snd_pcm_set_params(
            device, SND_PCM_FORMAT_S16_LE, SND_PCM_ACCESS_RW_INTERLEAVED, 1, rate, 0, 500000);
    if (error < 0) fail("open the device", snd_strerror(error));

    int16_t samples[period];
    for (int64_t left = atoi(arguments[3]) * INT64_C(1) * rate; left > 0;) {
        snd_pcm_sframes_t frames = snd_pcm_readi(device, samples, left < period ? left : period);
        if (frames < 0) fail("read", snd_strerror((int)frames));
        if (sf_writef_short(file, samples, frames) != frames) fail("write", sf_strerror(file));
        left -= frames;
    }
    snd_pcm_close(device);
    if (sf_close(file) != 0) fail("write", "it cannot be closed");
    return 0;
}

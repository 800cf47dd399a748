// The least that a player can do, for Scripts/bench to compare with: periods of 20 ms from a file of libsndfile
// straight into a device of libasound.
//
//     playback_loop DEVICE FILE      48 kHz, mono, 16 bits
#include <alsa/asoundlib.h>
#include <sndfile.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { rate = 48000, period = rate / 50 };

static void fail(const char *what, const char *why) {
    fprintf(stderr, "playback_loop: cannot %s: %s\n", what, why);
    exit(1);
}

int main(int count, char **arguments) {
    if (count != 3) fail("begin", "two arguments are needed");
    SF_INFO information = {0};
    SNDFILE *file = sf_open(arguments[2], SFM_READ, &information);
    if (!file) fail("read", sf_strerror(NULL));

    snd_pcm_t *device;
    int error = snd_pcm_open(&device, arguments[1], SND_PCM_STREAM_PLAYBACK, 0);
    if (error >= 0)
        error = snd_pcm_set_params(
            device, SND_PCM_FORMAT_S16_LE, SND_PCM_ACCESS_RW_INTERLEAVED, 1, rate, 0, 100000);
    if (error < 0) fail("open the device", snd_strerror(error));

    int16_t samples[period];
    sf_count_t frames;
    while ((frames = sf_readf_short(file, samples, period)) > 0) {
        snd_pcm_sframes_t written = snd_pcm_writei(device, samples, frames);
        if (written != frames) fail("write", snd_strerror((int)written));
    }
    snd_pcm_drain(device);
    snd_pcm_close(device);
    sf_close(file);
    return 0;
}

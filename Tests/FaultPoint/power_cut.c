// What a power cut would leave: whenever the program has synced a file or a folder, what that held when the sync
// began is kept in $POWER_CUT_SHADOW, under the number of its inode. Of a folder these are lines: `d` or `f`, an
// inode's number, a name. A disk that is cut off may hold more than that, and must not hold less.
// Tests/TestSupport/PowerCut.swift makes a folder of it.
#include "fault_point.h"
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *shadow(void) { return getenv("POWER_CUT_SHADOW"); }

static void copy_file(int source, int target) {
    char block[1 << 16];
    ssize_t count;
    for (off_t done = 0; (count = pread(source, block, sizeof block, done)) > 0; done += count)
        if (NEXT(write)(target, block, (size_t)count) != count) return;
}

static void copy_names(int source, int target) {
    int copy = NEXT(openat)(source, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = copy < 0 ? NULL : fdopendir(copy);
    if (!folder) return;
    for (struct dirent *entry; (entry = readdir(folder));) {
        char line[PATH_MAX];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        int length = snprintf(
            line, sizeof line, "%c %lu %s\n", entry->d_type == DT_DIR ? 'd' : 'f', (unsigned long)entry->d_ino,
            entry->d_name);
        if (NEXT(write)(target, line, (size_t)length) != length) break;
    }
    closedir(folder);
}

int synced(int descriptor, int (*sync)(int)) {
    char kept[PATH_MAX], copy[PATH_MAX + 16];
    struct stat status;
    if (!shadow() || fstat(descriptor, &status) < 0) return sync(descriptor);
    snprintf(kept, sizeof kept, "%s/%lu", shadow(), (unsigned long)status.st_ino);
    snprintf(copy, sizeof copy, "%s.%d", kept, gettid());
    int target = NEXT(open)(copy, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (target < 0) return sync(descriptor);
    if (S_ISDIR(status.st_mode)) copy_names(descriptor, target);
    else copy_file(descriptor, target);
    close(target);
    int result = sync(descriptor);
    if (result == 0) NEXT(rename)(copy, kept);
    return result;
}

int created(int descriptor) {
    char kept[PATH_MAX];
    struct stat status;
    // The number may have been another file's, which is gone.
    if (descriptor < 0 || !shadow() || fstat(descriptor, &status) < 0) return descriptor;
    snprintf(kept, sizeof kept, "%s/%lu", shadow(), (unsigned long)status.st_ino);
    NEXT(unlink)(kept);
    return descriptor;
}

// The least that removing everything can do, for Scripts/bench to compare with: all files of a folder are
// unlinked, then their rows deleted from the same tables, with the same settings as the program's own.
//
//     expire_loop STORE
#include <dirent.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void fail(const char *what, const char *why) {
    fprintf(stderr, "expire_loop: cannot %s: %s\n", what, why);
    exit(1);
}

int main(int count, char **arguments) {
    if (count != 2 || chdir(arguments[1]) != 0) fail("begin", "a store is needed");
    DIR *folder = opendir("audio");
    if (!folder) fail("begin", "there is no folder of sound");
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_type != DT_REG) continue;
        if (unlinkat(dirfd(folder), entry->d_name, 0) != 0) fail("unlink", entry->d_name);
    }
    closedir(folder);

    sqlite3 *database;
    if (sqlite3_open("memos.db", &database) != SQLITE_OK) fail("open", sqlite3_errmsg(database));
    const char *sql =
        "PRAGMA temp_store = MEMORY; PRAGMA secure_delete = ON; PRAGMA synchronous = FULL;"
        "PRAGMA journal_mode = TRUNCATE; BEGIN IMMEDIATE;"
        "DELETE FROM waveforms WHERE memo IN (SELECT id FROM memos WHERE expire_at <= unixepoch() * 1000);"
        "DELETE FROM markers WHERE memo IN (SELECT id FROM memos WHERE expire_at <= unixepoch() * 1000);"
        "DELETE FROM memos WHERE expire_at <= unixepoch() * 1000; COMMIT";
    if (sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK) fail("delete", sqlite3_errmsg(database));
    sqlite3_close(database);
    return 0;
}

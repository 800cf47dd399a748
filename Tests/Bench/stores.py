"""Commands on stores of many memos, against SQLite alone."""

import os
import shutil
import sqlite3
import subprocess
import sys
import time

DAY = 86_400_000
COLUMNS = """id, title, category, file, format, started_at, utc_offset, show_at, expire_at, rate, channels, bits,
    frames, bytes, peak_decibels, clips, interrupted"""
# What can be heard, and how much waits.
QUERIES = """SELECT id, title, category, file, format, started_at, utc_offset, show_at, expire_at, recorder, rate,
    channels, bits, frames, bytes, peak_decibels, clips, interrupted, heard_at FROM memos
    WHERE expire_at > {now} AND expire_at <= {now} + 86400000 AND frames IS NOT NULL ORDER BY id;
    SELECT count(*) FROM memos WHERE expire_at > {now} + 86400000"""
# The sums of a prompt: what can be heard and what waits.
SUMS = """SELECT count(*), count(*) - count(heard_at), min(expire_at), sum(bytes) FROM memos
    WHERE expire_at > {now} AND expire_at <= {now} + 86400000 AND frames IS NOT NULL;
    SELECT count(*), sum(bytes) FROM memos WHERE expire_at > {now} + 86400000"""


def make_store(rig, path, total, heard, over=0):
    """Makes a store of `total` memos, of which the first `heard` can be heard, or of which `over` are over."""
    shutil.rmtree(path, ignore_errors=True)
    store = {"TOMORROW_STORE": path}
    # On this device recording fails; the store stays.
    rig.tomorrow("record", "-D", "none", environment=store, may_fail=True)
    now = int(time.time()) * 1000
    rows = []
    for id in range(1, total + 1):
        if id <= over:
            show = now - 2 * DAY - id
        elif id <= heard:
            show = now - 3_600_000 - id
        else:
            show = now + DAY * (1 + id % 50) + id
        name = f"{id}-{show - 1000}-{show}-{show + DAY}.flac"
        os.close(os.open(f"{path}/audio/{name}", os.O_CREAT | os.O_WRONLY, 0o600))
        rows.append((id, f"A title of ordinary length {id}", "focus", name, "flac", show - 1000, 0, show,
                     show + DAY, 48000, 1, 16, 480000, 500000, -6.0, 0, 0))
    with sqlite3.connect(f"{path}/memos.db") as database:
        places = ", ".join("?" * len(rows[0]))
        database.executemany(f"INSERT INTO memos ({COLUMNS}) VALUES ({places})", rows)
        database.executemany("INSERT INTO waveforms (memo, pairs) VALUES (?, zeroblob(400))",
                             [(row[0],) for row in rows])
        # What `expire` leaves behind once it has compared rows and files: see Memos/FolderSeal.swift.
        os.utime(f"{path}/audio", ns=(now * 1_000_000 + 123, now * 1_000_000 + 123))
        database.execute("UPDATE state SET seal = ?, sealed_count = ?, active_at = ?",
                         (os.stat(f"{path}/audio").st_mtime_ns, total, now))
    database.close()


def measure(rig, table):
    few, many, full = rig.path("1000"), rig.path("100000"), rig.path("all")
    make_store(rig, full, 1_000, heard=1_000)
    make_store(rig, few, 1_000, heard=10)
    make_store(rig, many, 100_000, heard=10)
    if subprocess.run([rig.program, "list"], env=os.environ | {"TOMORROW_STORE": full},
                      capture_output=True).stdout.count(b"\n") != 1_001:
        sys.exit("bench: the list is not whole")
    compare_with_sqlite(rig, table, full, many)
    grow(rig, table, few, many)
    expire(rig, table)


def milliseconds(rig, *command, store=None, prepare=None, **options):
    """A function that measures the time that passes while a command runs."""
    def run():
        if prepare:
            prepare()
        return rig.run(command, {"TOMORROW_STORE": store} if store else None, **options).elapsed * 1_000
    return run


def compare_with_sqlite(rig, table, full, many):
    runs = rig.runs(200, 20)
    now = int(time.time()) * 1000

    def row(what, against, ours, theirs):
        ours, theirs = rig.turns(runs, ours, theirs)
        table.add(what, ours, against, theirs, "ms")

    def list(store, *options):
        ours = milliseconds(rig, rig.program, "list", *options, store=store)
        peer = ["sqlite3"] + (["-json"] if options else []) + [f"{store}/memos.db", QUERIES.format(now=now)]
        return ours, milliseconds(rig, *peer)

    row("list, 1,000 memos", "sqlite3, same queries", *list(full))
    row("list --json, 1,000 memos", "sqlite3 -json", *list(full, "--json"))
    row("list, 100,000 memos, ten to hear", "sqlite3, same queries", *list(many))
    version = milliseconds(rig, "arecord", "--version")
    row("--version", "arecord --version", milliseconds(rig, rig.program, "--version"), version)
    prompt = milliseconds(rig, rig.program, "status", "--short", store=full)
    row("status --short, 1,000 memos", "arecord --version", prompt, version)
    row("status --short, 1,000 memos", "sqlite3, same queries", prompt,
        milliseconds(rig, "sqlite3", f"{full}/memos.db", SUMS.format(now=now)))


def grow(rig, table, few, many):
    """The same commands on a store of a hundred times as many memos, of which ten can be heard."""
    def expiring(store):
        def prepare():
            with sqlite3.connect(f"{store}/memos.db") as database:
                database.execute("""UPDATE memos SET expire_at = 1 WHERE id IN
                    (SELECT id FROM memos ORDER BY expire_at DESC LIMIT 10)""")
            database.close()
        return prepare

    for command, prepare in [("play latest -D none", None), ("list", None), ("status", None),
                             ("expire", expiring)]:
        measures = [milliseconds(rig, rig.program, *command.split(), store=store, may_fail=True,
                                 prepare=prepare and prepare(store)) for store in [many, few]]
        ours, theirs = rig.turns(rig.runs(40, 10), *measures)
        what = command.removesuffix(" -D none") + ", 100,000 memos" + (", ten to go" if prepare else "")
        table.add(what, ours, "with 1,000", theirs, "ms")


def expire(rig, table):
    """The removal of all, against a bare loop. Both stores are made anew each time, and on disk before."""
    total = 100_000
    store = rig.path("over")
    loop = rig.peer("expire_loop.c", "sqlite3")

    def fresh(*command):
        make_store(rig, store, total, heard=0, over=total)
        os.sync()
        elapsed = rig.run(command, {"TOMORROW_STORE": store}).elapsed
        if os.listdir(f"{store}/audio"):
            sys.exit(f"bench: {command[0]} has not removed all")
        return elapsed

    ours, theirs = rig.turns(rig.runs(5, 1), lambda: fresh(rig.program, "expire"), lambda: fresh(loop, store),
                             warmup=0)
    table.add("expire, 100,000 to go", ours, "unlink loop, SQL delete", theirs, "s")
    shutil.rmtree(store)

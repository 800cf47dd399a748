"""Lives months in ten zones, and compares what each look has shown with the rule of time by Python's zoneinfo.

usage: month_oracle.py PROBE FOLDER

Prints the number of months, memos and looks; a line for each difference, and exit status 1.
"""

import datetime
import subprocess
import sys

import rule_of_time_oracle as oracle

# Months with a change of the clocks in them, and one without.
MONTHS = [
    ("Europe/Berlin", "2026-03-10"), ("Africa/Cairo", "2026-04-10"), ("Asia/Beirut", "2026-03-15"),
    ("America/Santiago", "2026-08-20"), ("America/Havana", "2026-10-15"), ("Africa/Cairo", "2026-10-15"),
    ("Australia/Lord_Howe", "2026-03-20"), ("Pacific/Apia", "2011-12-15"), ("America/St_Johns", "2010-10-25"),
    ("Asia/Kolkata", "2026-11-30"),
]


def month(probe, folder, number, name, date, day_start):
    zone = oracle.Zone(name)
    first = int(datetime.datetime.fromisoformat(date + "T00:00:00+00:00").timestamp())
    store = f"{folder}/{number}"
    run = subprocess.run(
        [probe, "month", store, str(number), day_start, str(first)], capture_output=True, text=True,
        env=oracle.environment(name))
    if run.returncode != 0:
        return 0, 0, [f"{name}: {run.stderr.strip()[-200:]}"]
    start = oracle.seconds_of(day_start)
    memos, looks, differences = {}, 0, []
    for line in run.stdout.splitlines():
        word, rest = line.split(" ", 1)
        if word == "take":
            id, milliseconds = map(int, rest.split())
            second = milliseconds // 1000
            day = (zone.wall(second) - start) // oracle.DAY
            memos[id] = zone.first_reading(second, (day + 1) * oracle.DAY + start) * 1000
            continue
        looks += 1
        now, rest = rest.split(" ", 1)
        now = int(now)
        waiting = [i for i, show in memos.items() if now < show]
        available = [i for i, show in memos.items() if show <= now < show + oracle.DAY * 1000]
        both = sorted(waiting + available)
        wanted = " ; ".join(",".join(map(str, ids)) for ids in [available, waiting, both, both])
        wanted += f" ; {len(available)} {len(waiting)}"
        if rest.strip() != wanted.strip():
            differences.append(f"{name}, {day_start}, {now}: {rest!r}, not {wanted!r}")
    return len(memos), looks, differences


def main():
    probe, folder = sys.argv[1:]
    totals, differences, number = [0, 0, 0], [], 0
    for index, (name, date) in enumerate(MONTHS):
        # Odd numbers are cleaned up after, even ones never; which day-start has which takes turns.
        for day_start in ["00:00", "04:00"][:: -1 if index % 2 else 1]:
            number += 1
            memos, looks, found = month(probe, folder, number, name, date, day_start)
            totals = [totals[0] + 1, totals[1] + memos, totals[2] + looks]
            differences += found
    for difference in differences[:20]:
        print(difference)
    print(f"months {totals[0]} memos {totals[1]} looks {totals[2]} differences {len(differences)}")
    sys.exit(1 if differences or totals[2] < 1000 else 0)


if __name__ == "__main__":
    main()

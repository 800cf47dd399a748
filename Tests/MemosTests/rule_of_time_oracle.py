"""Checks the rule of time against Python's zoneinfo, for every zone and every change of its clocks.

usage: rule_of_time_oracle.py PROBE [ZONE...]

Both use the zone rules in TZDIR, or else the system's.
PROBE answers in the C library's zone, one process a zone. Everything here comes from zoneinfo alone.
Prints the number of zones, changes and questions; a line for each difference, and exit status 1.
"""

import bisect
import concurrent.futures
import datetime
import os
import random
import subprocess
import sys
import zoneinfo

DAY = 86400
DAY_STARTS = ["00:00", "04:00", "12:30"]
CLOCKS = ["00:00:00", "02:30:00", "07:30:00", "23:59:59"]
UTC = datetime.timezone.utc
FIRST = int(datetime.datetime(2006, 12, 1, tzinfo=UTC).timestamp())
LAST = int(datetime.datetime(2038, 3, 1, tzinfo=UTC).timestamp())
FROM = int(datetime.datetime(2007, 1, 1, tzinfo=UTC).timestamp())
TO = int(datetime.datetime(2038, 1, 1, tzinfo=UTC).timestamp())

# The C library's directory, and nothing else: Python may have been built with others, and may have zones of its own.
RULES = os.environ.get("TZDIR", "/usr/share/zoneinfo")
zoneinfo.reset_tzpath([RULES])


def environment(zone):
    """The environment of a program in a zone."""
    return {"TZ": zone, "TZDIR": RULES, "PATH": "/usr/bin:/bin"}


class Zone:
    """A zone as a list of changes: from starts[i] on, clocks are offsets[i] seconds ahead of UTC."""

    def __init__(self, name):
        self.zone = zoneinfo.ZoneInfo(name)
        self.starts, self.offsets = [FIRST - 40 * DAY], [self.offset(FIRST - 40 * DAY)]
        for begin in range(self.starts[0], LAST + 40 * DAY, DAY // 2):
            same, other = begin, begin + DAY // 2
            if self.offset(other) == self.offsets[-1]:
                continue
            while other - same > 1:
                middle = (same + other) // 2
                if self.offset(middle) == self.offsets[-1]:
                    same = middle
                else:
                    other = middle
            self.starts.append(other)
            self.offsets.append(self.offset(other))

    def offset(self, second):
        moment = datetime.datetime.fromtimestamp(second, self.zone)
        return int(moment.utcoffset().total_seconds())

    def changes(self):
        return [s for s in self.starts[1:] if FROM <= s < TO]

    def index(self, second):
        return bisect.bisect_right(self.starts, second) - 1

    def wall(self, second):
        return second + self.offsets[self.index(second)]

    def first_reading(self, second, reading):
        """The first second after `second` at which clocks read at least `reading`."""
        second += 1
        while True:
            i = self.index(second)
            if second + self.offsets[i] >= reading:
                return second
            end = self.starts[i + 1] if i + 1 < len(self.starts) else float("inf")
            if reading - self.offsets[i] < end:
                return reading - self.offsets[i]
            second = end


def seconds_of(clock):
    parts = [int(p) for p in clock.split(":")] + [0]
    return parts[0] * 3600 + parts[1] * 60 + parts[2]


def local_day(zone, second, day_start):
    """The rule as it is worded: the calendar date, minus one while the clock reads before day-start."""
    moment = datetime.datetime.fromtimestamp(second, zone.zone)
    date = moment.date().toordinal()
    return date - 1 if moment.hour * 3600 + moment.minute * 60 + moment.second < day_start else date


def instants(zone, name):
    wanted = set()
    for change in zone.changes():
        centre = zone.wall(change) // DAY
        for day in range(centre - 3, centre + 4):
            for index in {zone.index(change - 1), zone.index(change)}:
                midnight = day * DAY - zone.offsets[index]
                wanted.update((midnight - 1, midnight, midnight + 1))
        wanted.update((change - 1, change, change + 1))
    chance = random.Random(name)
    wanted.update(chance.randrange(FROM, TO) for _ in range(500))
    return sorted(wanted), chance


def check(probe, name):
    zone = Zone(name)
    asked, chance = instants(zone, name)
    questions, answers = [], []

    def ask(question, *answer):
        questions.append(question)
        answers.append(" ".join(str(a * 1000) for a in answer))

    differences = []
    for second in asked:
        wall = zone.wall(second)
        milliseconds = second * 1000 + chance.randrange(1000)
        for text in DAY_STARTS:
            start = seconds_of(text)
            day = (wall - start) // DAY
            show = zone.first_reading(second, (day + 1) * DAY + start)
            ask(f"show {text} {milliseconds}", show, show + DAY)
        clock = chance.choice(CLOCKS)
        reading = wall // DAY * DAY + seconds_of(clock)
        ask(f"clock {clock} {milliseconds}",
            zone.first_reading(second, reading if wall < reading else reading + DAY))
        if chance.random() < 0.1:
            text, days = chance.choice(DAY_STARTS), chance.randrange(1, 40)
            start = seconds_of(text)
            show = zone.first_reading(second, ((wall - start) // DAY + days) * DAY + start)
            ask(f"deliver {text} {milliseconds} {days}", show, show + DAY)
    # The sums above against the rule's own words, second by second around the answer.
    for second in chance.sample(asked, min(40, len(asked))):
        for text in DAY_STARTS:
            start = seconds_of(text)
            today = local_day(zone, second, start)
            show = zone.first_reading(second, ((zone.wall(second) - start) // DAY + 1) * DAY + start)
            before = list(range(second, show, 601)) + [show - 1]
            if local_day(zone, show, start) <= today or any(local_day(zone, s, start) > today for s in before):
                differences.append(f"{name}: the oracle contradicts itself at {second} with {text}")
    run = subprocess.run(
        [probe, "rule-of-time"], input="\n".join(questions), env=environment(name), capture_output=True, text=True)
    given = run.stdout.splitlines()
    if len(given) != len(answers):
        differences.append(f"{name}: {len(given)} answers to {len(answers)} questions")
    differences += [f"{name}: {q}: {g}, not {a}" for q, g, a in zip(questions, given, answers) if g != a]
    return len(zone.changes()), len(questions), differences


def main():
    probe = sys.argv[1]
    names = sys.argv[2:] or sorted(zoneinfo.available_timezones())
    names = [n for n in names if not n.startswith("right/") and os.path.exists(f"{RULES}/{n}")]
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        results = list(pool.map(check, [probe] * len(names), names, chunksize=8))
    differences = [d for r in results for d in r[2]]
    for difference in differences[:20]:
        print(difference)
    print(f"zones {len(names)} changes {sum(r[0] for r in results)} "
          f"questions {sum(r[1] for r in results)} differences {len(differences)}")
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()

"""The rows of numbers: what was measured against what, and whether that is within the limits."""

import json
import statistics


class Table:
    """Collects rows, prints each as it comes, and knows in the end whether all are within limits.json.

    A limit is what holds on a machine that is shared; where more was aimed at, the row has that, too."""

    def __init__(self, limits_path, markdown=False):
        with open(limits_path) as file:
            self.limits = {(row["what"], row["against"]): row for row in json.load(file)}
        self.markdown = markdown
        self.rows = []
        if markdown:
            print("| what | tomorrow | against | | ratio | limit |\n|---|--:|---|--:|--:|--:|")

    def add(self, what, ours, against, theirs, unit):
        """Adds a row of two lists of measurements in a unit, of which the medians count."""
        ours, theirs = statistics.median(ours), statistics.median(theirs)
        row = {"what": what, "against": against, "unit": unit, "ours": ours, "theirs": theirs,
               "ratio": ours / theirs if theirs else None}
        self._finish(row, self.limits.get((what, against), {}))

    def add_size(self, what, ours, unit):
        """Adds a row that is compared with nothing but its limit."""
        row = {"what": what, "against": "", "unit": unit, "ours": ours}
        self._finish(row, self.limits.get((what, ""), {}))

    def _finish(self, row, limit):
        kinds = {
            "ratio": (row.get("ratio"), "{:.2f}"),
            "more": (row["ours"] - row.get("theirs", 0), "+{:.2f} " + row["unit"]),
            "most": (row["ours"], "{:.0f} " + row["unit"]),
        }
        for kind, (value, form) in kinds.items():
            if kind in limit:
                row["limit"] = form.format(limit[kind])
                if "aim" in limit:
                    row["limit"] += f" (aim {form.format(limit['aim'])})"
                row["held"] = value <= limit[kind]
        self.rows.append(row)
        self._print(row)

    def _print(self, row):
        ours = self._number(row["ours"], row["unit"])
        theirs = self._number(row["theirs"], row["unit"]) if row["against"] else ""
        ratio = f"{row['ratio']:.2f}" if row.get("ratio") else ""
        limit = ("≤ " + row["limit"] if "limit" in row else "") + ("" if row.get("held", True) else "  !")
        if self.markdown:
            print(f"| {row['what']} | {ours} | {row['against']} | {theirs} | {ratio} | {limit} |", flush=True)
        else:
            print(f"{row['what']:<45} {ours:>10}  {row['against']:<26} {theirs:>10}  {ratio:>6}  {limit}",
                  flush=True)

    @staticmethod
    def _number(value, unit):
        digits = 0 if value >= 100 else 1 if value >= 10 else 2
        return f"{value:.{digits}f} {unit}"

    def finish(self, path, is_whole, facts):
        """Writes all rows as JSON beside facts about the run, and gives the names of those that are not within their
        limits, or that are missing from a whole table."""
        with open(path, "w") as file:
            json.dump(facts | {"rows": self.rows}, file, indent=1, ensure_ascii=False)
            file.write("\n")
        worse = [(row["what"], row["against"]) for row in self.rows if not row.get("held", True)]
        measured = {(row["what"], row["against"]) for row in self.rows}
        return worse + (sorted(set(self.limits) - measured) if is_whole else [])

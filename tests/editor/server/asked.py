"""Cases in `asked.txt`: a file, a place in it, a question and the expected answer."""

from pathlib import Path

TEXT = Path(__file__).with_name("asked.txt").read_text("utf-8")


def asked(heading: str) -> list[tuple[str, ...]]:
    lines = TEXT.split(f"[{heading}]\n")[1].partition("\n\n")[0].splitlines()
    parted = (line.replace("\\n", "\n").partition(": ") for line in lines)
    return [(file, *rest.split(" => ")) for file, _, rest in parted]

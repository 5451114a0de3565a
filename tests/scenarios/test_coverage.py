from __future__ import annotations

from pathlib import Path

from rulesdsl.scenarios import load_suite
from rulesdsl.scenarios.coverage import Coverage, covered_rules
from scenarios.small_pack import CHECKLIST, scenario, write_pack


def coverage(pack: Path) -> Coverage | None:
    suite = load_suite(pack)
    return covered_rules(suite.pack, [each.scenario for each in suite.scenarios])


def test_rules_without_a_scenario_are_missing_unless_they_are_exempt(tmp_path: Path) -> None:
    found = coverage(write_pack(tmp_path, scenario(name="a", covers=["A-1", "A-4"], over=False)))

    assert found is not None
    assert found.missing == {"A-2": "The baker pays back"}
    assert found.exempt == {"A-3": "nothing to compute"}
    assert found.summary == "2 of 3 rules covered, 1 exempt"
    assert not found.findings


def test_a_rule_that_the_checklist_lacks_is_a_mistake(tmp_path: Path) -> None:
    found = coverage(write_pack(tmp_path, scenario(name="a", covers=["A-1", "A-9"], over=False)))

    assert found is not None
    (finding,) = found.findings
    assert (finding.code, finding.span.line, finding.span.column) == ("E201", 3, 18)


def test_an_exempt_rule_that_the_checklist_lacks_is_a_mistake(tmp_path: Path) -> None:
    checklist = CHECKLIST + 'A-7 = "why not"\n'
    found = coverage(write_pack(tmp_path, rules_covered__toml=checklist))

    assert found is not None
    assert [each.code for each in found.findings] == ["E201"]
    assert found.findings[0].span.file.endswith("rules_covered.toml")


def test_a_pack_without_a_checklist_has_no_coverage(tmp_path: Path) -> None:
    pack = write_pack(tmp_path)
    (pack / "rules_covered.toml").unlink()

    assert coverage(pack) is None


def test_rules_that_no_page_tells_are_untold_unless_nobody_needs_them(tmp_path: Path) -> None:
    checklist = CHECKLIST + '[untold]\nA-4 = "nobody asks"\n'
    pack = write_pack(tmp_path, rules_covered__toml=checklist)
    found = coverage(pack)
    assert found is not None
    assert found.untold == {}  # there is no rulebook

    (pack / "rulebook").mkdir()
    page = "<!-- tells: A-1, A-9 -->\n# Coins\n"
    (pack / "rulebook/coins.md").write_text(page, encoding="utf-8")
    found = coverage(pack)
    assert found is not None
    assert list(found.untold) == ["A-2", "A-3"]
    (finding,) = found.findings
    assert (finding.code, finding.span.line, finding.span.column) == ("E201", 1, 18)

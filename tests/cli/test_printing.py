"""Tables as they are printed: on a terminal they fit, anywhere else nothing is folded."""

import math

import pytest

from paragauge.cli.terminal import printing
from paragauge.cli.terminal.progress import _new

HEADER = ["references", "pair", "r with extras", "what came of it", "accuracy with extras"]
ROWS = [
    ["human", "de-en", 0.5, "as good as one could have wished for, and far better than what was had before", -0.0001],
    ["human", "fi-en", -0.25, "worse", math.nan],
]


@pytest.fixture
def terminal(monkeypatch):
    def of(columns: int) -> None:
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)

    return of


def printed(capsys) -> list[str]:
    printing.table(HEADER, ROWS, "table", None)
    return capsys.readouterr().out.replace("\033[1m", "").replace("\033[0m", "").splitlines()


@pytest.mark.parametrize("columns", [120, 100, 80, 60, 40])
def test_a_table_fits_its_terminal_and_loses_no_word(terminal, capsys, columns):
    terminal(columns)
    lines = printed(capsys)
    assert max(map(len, lines)) <= columns
    words = " ".join(lines).split()
    assert {"accuracy", "extras", "wished", "before", "0.500", "-0.250", "0.000", "–"} <= set(words)


def test_each_block_of_columns_begins_with_what_tells_the_rows_apart(terminal, capsys):
    terminal(50)
    lines = printed(capsys)
    heads = [line for line in lines if line.startswith("references")]
    assert len(heads) > 1
    assert all(head.split()[:2] == ["references", "pair"] for head in heads)


def test_away_from_a_terminal_a_row_is_one_line(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "40")
    lines = printed(capsys)
    assert len(lines) == 4
    assert lines[2].endswith(" 0.000")  # no negative zero
    assert lines[3].endswith(" –")  # under the numbers


def test_a_line_break_in_a_cell_breaks_no_row(capsys):
    for format in ("table", "markdown", "latex"):
        printing.table(["text", "n"], [["one\ntwo", 1.0]], format, None)
        assert "one two" in capsys.readouterr().out


def test_a_column_without_any_defined_number_is_set_as_numbers(capsys):
    printing.table(["metric", "pearson"], [["bleu", math.nan]], "markdown", None)
    assert "|---|---:|" in capsys.readouterr().out


def test_a_hyphen_before_a_number_is_a_minus_in_latex(capsys):
    printing.table(["metric", "r"], [["bert-ibleu", -0.5]], "latex", None)
    assert "bert-ibleu & $-$0.500" in capsys.readouterr().out


def test_markup_in_a_cell_is_text_in_markdown(capsys):
    cell = r"<img src=x onerror=alert(1)> [a](b) *c* _d_ `e` ~~f~~ $g$ h|i &amp; \j"
    printing.table(["*name*", "n"], [[cell, -0.5]], "markdown", "<b>")
    title, _, header, _, row = capsys.readouterr().out.splitlines()
    assert title == "**&lt;b&gt;**"
    assert header == r"| \*name\* | n |"
    assert row == (
        r"| &lt;img src=x onerror=alert(1)&gt; \[a](b) \*c\* \_d\_ \`e\` \~\~f\~\~ \$g\$ h\|i &amp;amp; \\j | -0.500 |"
    )


def test_what_markdown_is_read_back_as(capsys):
    markdown = pytest.importorskip("markdown_it")  # comes with rich
    texts = ["<script>alert(1)</script>", "a|b", "[x](javascript:y)", "![x](y)", "**b** _i_ ~~s~~ `c`", "&lt;", "\\<b>"]
    printing.table(["text", "n"], [[text, 1.0] for text in texts], "markdown", None)
    parser = markdown.MarkdownIt("commonmark").enable(["table", "strikethrough"])
    inline = [token for token in parser.parse(capsys.readouterr().out) if token.type == "inline"]
    cells = ["".join(child.content for child in token.children) for token in inline]
    assert cells[2::2] == texts
    assert {child.type for token in inline for child in token.children} <= {"text", "text_special"}


@pytest.mark.parametrize("start", ["[2pt] x", "*x"])
def test_latex_takes_no_cell_for_an_argument(capsys, start):
    printing.table([start, "n"], [[start, 1.0], [start, 2.0]], "latex", None)
    rows = [line for line in capsys.readouterr().out.splitlines() if "&" in line]
    assert [row.startswith("{}" + start[0]) for row in rows] == [True] * 3


def test_special_characters_in_latex(capsys):
    printing.table(["a_b"], [[r"100% & $x$ #1 {y} ~ ^ \ < > |"]], "latex", None)
    row = capsys.readouterr().out.splitlines()[4]
    assert row == (
        r"100\% \& \$x\$ \#1 \{y\} \textasciitilde{} \^{} \textbackslash{} \textless{} \textgreater{} \textbar{} \\"
    )


@pytest.mark.parametrize(
    ("format", "line"), [("table", r"(1) a\x1b *b*"), ("markdown", r"(1) a\\x1b \*b\*"), ("latex", r"% (1) a\x1b *b*")]
)
def test_a_remark_below_a_table_is_in_its_format(capsys, format, line):
    printing.remark("(1) a\x1b\n*b*", format)
    assert capsys.readouterr().out == f"{line}\n"


def test_trainings_of_three_minutes_have_a_time_that_is_left():
    """rich forgets after 30 seconds by default, and then knows no speed."""
    progress, clock = _new(), [0.0]
    progress.get_time = lambda: clock[0]
    number = progress.add_task("training classifiers", total=20)
    for done in range(1, 6):
        clock[0] += 180
        progress.update(number, completed=done)
    assert progress.tasks[0].time_remaining == 15 * 180

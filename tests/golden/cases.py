"""Every recorded command line. A case is run in a folder of its own, next to what `inputs.py` makes."""

from typing import NamedTuple


class Case(NamedTuple):
    """Commands that follow each other, as they are typed (`< FILE` is standard input), and the files to compare."""

    name: str
    commands: tuple[str, ...]
    files: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()  # fixtures that skip where a model, a package or the data are not there
    thorough: bool = False

    @property
    def network(self) -> bool:
        """Whether its numbers come from a neural network."""
        return bool({"encoder", "language_model", "paraphraser"} & set(self.needs))


LEXICAL = "-m changed -m bleu -m rougeL -m chrf -m ter -m ned.free -m pinc -m distinct"
ENCODER = ("encoder",)
# Copies have a cosine of 1 but for the last bits, which are different on other processors, and so is their order: what
# ranks rows, or counts resamples on either side of 0, is recorded of metrics that give equal rows equal scores.
STABLE = "-m meaning -m changed -m usable -m bleu -m ned.free"
TABLES = ("verdict", "systems", "differences", "distributions", "correlations", "slices", "undefined", "sensitivity")

SCORE = [
    Case("score", ("score pairs.csv",), needs=ENCODER),
    Case("score-json", ("score pairs.csv -f json -q",), needs=ENCODER),
    Case("score-csv", ("score pairs.csv -f csv",), needs=ENCODER),
    Case("score-latex", ("score pairs.csv -f latex",), needs=ENCODER),
    Case("score-markdown", ("score pairs.csv -f markdown",), needs=ENCODER),
    Case("score-rows", ("score pairs.csv --sentence-level",), needs=ENCODER),
    Case("score-lenient", ("score pairs.csv --no-strict --accept 0.7 --min-changed 0.1 -q",), needs=ENCODER),
    Case("score-baseline", (f"score pairs.csv {STABLE} -m bertscore.free --baseline copy -q",), needs=ENCODER),
    Case(
        "score-run",
        (
            "score pairs.csv --run run -q",
            "score pairs.csv --run run -q -f csv",
            "runs list",
            "runs show run -f csv",
            "runs verify run",
            "export run -o scores.csv",
        ),
        ("run/*", "scores.csv"),
        needs=ENCODER,
    ),
    Case(
        "score-report",
        (
            f"score pairs.csv {STABLE} --report report.html -q",
            *(f"export report.html --table {table} -o {table}.csv" for table in TABLES),
            "export report.html -o scores.jsonl",
        ),
        ("report.html", "*.csv", "*.jsonl"),
        needs=("encoder", "charts"),
    ),
    Case("score-metrics", (f"score pairs.csv {LEXICAL}", f"score pairs.csv {LEXICAL} -q -f csv -w 6")),
    Case("score-skip", (f"score pairs.csv {LEXICAL} --empty skip -q", "score pairs.csv -m bleu --empty skip -f json")),
    Case("score-workers", (f"score pairs.csv {LEXICAL} --workers 2 -q",)),
    Case(
        "score-outputs",
        (
            *(
                f"score pairs.csv -m bleu -m ned.free -q -o scores.{kind}"
                for kind in ("csv", "tsv", "jsonl", "parquet")
            ),
            "score pairs.csv -m bleu -q -o scores/",
        ),
        ("scores.*", "scores/*"),
    ),
    Case("score-lexical-run", ("score pairs.csv -m bleu -m ned.free --run run -q",), ("run/*",)),
    Case("score-lines", ("score -s references.txt -c references.txt -c references.txt -m ned.free -f csv",)),
    Case("score-stdin", ("score - -m bleu -f json -q < pairs.csv",)),
    Case("score-sets", ("score sets.csv -m selfbleu -m distinct -m distinct-1 -m ds-bow -m compression-ratio",)),
    Case("score-edits", ("score edits.csv -m ned.free -m pinc -m bleu.free --set normalize=yes --sentence-level",)),
    Case("score-probes", ("score probes.csv --sentence-level -f csv -q",), needs=ENCODER),
    Case("score-more", ("score pairs.csv -m cosine -m moverscore -m bert-ibleu -q -f csv",), needs=ENCODER),
    Case("score-vectors", ("score pairs.csv -m weem4pg -m wmd -m vector-extrema -q",), needs=("glove",)),
    Case("score-wordnet", ("score pairs.csv -m meteor -m meteor.free -q",), needs=("lexicon",)),
    Case("score-language", ("score probes.csv -m perplexity -m slor -q",), needs=("language_model",), thorough=True),
    Case(
        "score-twitter",
        ("score twitter.csv --run run",),
        ("run/scores.parquet", "run/verdict.json"),
        needs=("encoder", "data"),
    ),
    Case(
        "score-sts",
        ("score sts.csv -m meaning -m changed -m usable -o usable.csv",),
        ("usable.csv",),
        needs=("encoder", "data"),
    ),
    Case(
        "score-twitter-lexical",
        (f"score twitter.csv {LEXICAL} -q -o scores.csv",),
        ("scores.csv",),
        needs=("data",),
    ),
]

COMPARE = [
    Case(
        "compare",
        (f"score pairs.csv {STABLE} --run run -q", "compare run", "compare run --baseline copy -q -f json"),
        needs=ENCODER,
    ),
    Case(
        "compare-runs",
        (
            "score pairs.csv -m ned.free -m bleu --run old -q",
            "score pairs.csv -m ned.free -m bleu --empty skip --run new -q",
            "score sets.csv -m ned.free -m bleu.free -q -o other.csv",
            "compare old new",
            "compare old --baseline copy -m bleu -f latex",
            "compare old --resamples 500 --seed 3 -f markdown -q",
            "compare old --report both.html",
            "compare other.csv -q",
            "report old new -o both.html --overwrite",
        ),
        ("both.html",),
        needs=("charts",),
    ),
]

PARAPHRASE = [
    *(
        Case(f"paraphrase-{name}", (f"paraphrase lines.txt --method {method} -n 3 -f csv",), needs=needs)
        for name, method, needs in (
            ("beam", "beam", ("paraphraser",)),
            ("reranked", "reranked", ("paraphraser", "encoder")),
            ("diverse-beam", "diverse-beam", ("paraphraser",)),
            ("sampled", "sampled:seed=4", ("paraphraser",)),
            ("constrained", "constrained:require=the", ("paraphraser",)),
            ("wordswap", "wordswap-1", ("glove",)),
            ("wordnet-swap", "wordnet-swap", ("lexicon",)),
        )
    ),
    Case(
        "paraphrase-keep",
        (
            'paraphrase lines.txt --method wordswap-1 -n 2 --where "ned.free >= 0.3" -m bleu.free -o kept.jsonl '
            "--report kept.html",
            "paraphrase lines.txt --method wordswap-2 -n 1 -o plain.csv",
            "paraphrase lines.txt --method wordswap-2 -n 1 -o plain.csv",
            "paraphrase lines.txt --method wordswap-3 -n 2 -f json -q",
        ),
        ("kept.jsonl", "plain.csv", "kept.html"),
        needs=("glove", "encoder", "charts"),
    ),
]  # fmt: skip

FILTER = [
    Case(
        "filter",
        (
            'filter pairs.csv --where "ned.free >= 0.3 and not bleu.free > 40"',
            'filter rated.csv --where "human >= 3.5" --best 1 -f csv',
            "filter rated.csv --best 1 --by theirs -f json",
            "filter sets.csv --best 2 --by ned.free --dedupe 0.6 -o kept.csv",
            "filter sets.csv --best 2 --by ned.free --dedupe 0.6 -o kept.jsonl -q",
        ),
        ("kept.*",),
    ),
    Case(
        "filter-usable",
        (
            'filter pairs.csv --where "usable == 1"',
            'filter pairs.csv --where "usable == 1" --best 1 -f csv',
            'filter pairs.csv --where "not usable == 1" -f csv',
            'filter pairs.csv --where "meaning >= 0.5 and changed > 0.15" --best 1 -q -f markdown',
            "score pairs.csv -m usable -m meaning --run run -q",
            'filter run --where "usable == 1" --best 1 --by meaning -f csv',
        ),
        needs=ENCODER,
    ),
]

META = [
    *(
        Case(
            f"meta-{level}",
            tuple(
                f"meta rated.csv -m bleu -m ned.free -m chrf --level {level} --statistic {statistic} --resamples 200"
                for statistic in ("pearson", "spearman", "kendall-b")
            ),
        )
        for level in ("pooled", "source", "system")
    ),
    Case(
        "meta-differences",
        (
            "meta rated.csv -m bleu -m ned.free --analysis differences --resamples 200 --no-sentinels",
            "meta rated.csv -m bleu -m ned.free --test permutation --resamples 200 -f json",
            "meta rated.csv -m bleu -m ned.free --test williams -f csv -q",
            "meta rated.csv --human second -m bleu -m ned.free --resamples 200 -f markdown",
        ),
    ),
    Case(
        "meta-score",
        ("meta rated.csv -m bleu --score theirs --resamples 200 --report meta.html",),
        ("meta.html",),
        needs=("charts",),
    ),
    Case("meta-default", ("meta sts.csv --resamples 200",), needs=("encoder", "data")),
    *(
        Case(f"meta-{name}", (f"meta rated.csv -m ned.free -m bleu --analysis {name} --resamples 200",), needs=needs)
        for name, needs in (
            ("groups", ()),
            ("cases", ()),
            ("copies", ()),
            ("attribution", ENCODER),
            ("ability", ENCODER),
            ("omega", ENCODER),
        )
    ),
    Case("meta-twitter", (f"meta twitter.csv {LEXICAL} --resamples 500",), needs=("data",)),
    Case("meta-sts", ("meta sts.csv -m meaning -m changed -m cosine.free --resamples 500",), needs=("encoder", "data")),
    Case(
        "tune",
        (
            "tune rated.csv -m ibleu --grid alpha=0.5:0.9:0.1 --share 0.3 --all",
            "tune rated.csv -m bleu --grid order=1,2,3 --share 0.5 -f json",
        ),
    ),
    Case("tune-twitter", ("tune twitter.csv --grid omega=0:0.2:0.05",), needs=("encoder", "data")),
]

WMT = "--outputs wmt/system-outputs/de-en --reference wmt/references/news-deen-ref.en"
EXTRA = "--extra wmt/extra/deen-1.en wmt/extra/deen-2.en"

STUDIES = [
    Case(
        "references-score",
        (
            f"references score {WMT} {EXTRA} -m bleu -m chrf -n 0 -n 2",
            f"references score {WMT} {EXTRA} -m bleu -m ter --sentence-level -f csv -q",
        ),
    ),
    Case(
        "references-evaluate",
        (
            "references evaluate wmt --extra-dir wmt/extra --human da --resamples 100",
            "references evaluate wmt --extra-dir wmt/extra --human da -n 1 -n 2 --resamples 100 -f csv -q",
            "references evaluate wmt --extra-dir wmt/extra --human darr -m chrf --resamples 100 --report wmt.html",
        ),
        ("wmt.html",),
        needs=("charts",),
    ),
    Case(
        "references-diversity",
        (
            "references diversity wmt/extra/deen-1.en wmt/extra/deen-2.en",
            "references diversity lines.txt lines.txt -f json",
        ),
    ),
    Case(
        "references-coverage",
        (
            f"references coverage {WMT} {EXTRA}",
            f"references coverage {WMT} {EXTRA} --show gained --top 5",
            f"references coverage {WMT} {EXTRA} --show missing --top 5 -f csv",
            f"references coverage {WMT} --show unrewarded --folds 2",
        ),
    ),
    Case(
        "extrinsic",
        (
            "extrinsic --train reviews.csv --text review --label sentiment --paraphrases paraphrases.jsonl "
            "--model tfidf --share 0.5 -m ned.free --seeds 2 --run run --report page.html",
            "extrinsic --train reviews.csv --text review --label sentiment --paraphrases paraphrases.jsonl "
            "--model tfidf --share 0.5 -m ned.free --seeds 2 --run run -f csv",
        ),
        ("run/*.json", "run/*.csv", "run/*.parquet", "page.html"),
        needs=("extrinsic", "charts"),
    ),
    Case(
        "annotate",
        (
            "annotate export study.db -o ratings.csv",
            "annotate export study.db -o careful.jsonl --careful --standardize",
            "annotate status study.db",
            "annotate status study.db -f json",
            "annotate plan ratings.csv --raters 1,2 -f csv",
            "meta ratings.csv -m ned.free --resamples 100 -q",
        ),
        ("ratings.csv", "careful.jsonl"),
    ),
]

LISTS = [
    Case("metrics", ("metrics", "metrics -f json", "metrics -f latex")),
    Case("cards", ("metrics bleu", "metrics --cards cards"), ("cards/*",)),
    Case("paraphrasers", ("paraphrase --list",)),
    Case("version", ("--version", "--help")),
]

REFUSED = [
    Case(
        "refused-call",
        (
            "scroe pairs.csv",
            "--verbose",
            "score",
            "score pairs.csv lines.txt",
            "score --nope pairs.csv",
            "report",
            "report old",
            "annotate",
            "references",
            "references scores",
            "runs show",
            "export",
            "data show",
            "models get",
        ),
    ),
    Case(
        "refused-file",
        (
            "score nowhere.csv",
            "score empty.csv -m bleu",
            "score headless.csv -m ned.free",
            "score ragged.csv -m ned.free",
            "score broken.json -m ned.free",
            "score broken.jsonl -m ned.free",
            "score broken.parquet -m ned.free",
            "score latin.csv -m ned.free",
            'score "a folder" -m ned.free',
            "score lines.txt -m ned.free",
            "score pairs.csv -m ned.free --column source=question",
            "score pairs.csv -m ned.free --column whatever",
            "score pairs.csv -m ned.free --encoding klingon",
            "score pairs.csv -m ned.free --input-format yaml",
            "score pairs.csv -m ned.free --delimiter ab",
            "score -s lines.txt -c references.txt -m ned.free",
            "score -s lines.txt -m ned.free",
            "score pairs.csv -s lines.txt -m ned.free",
        ),
    ),
    Case(
        "refused-score",
        (
            "score pairs.csv -m chfr",
            "score pairs.csv -m ''",
            "score pairs.csv -m bleu:ordre=2",
            "score pairs.csv -m bleu:order=many",
            "score pairs.csv -m bleu:order=0",
            "score pairs.csv -m bleu.fre",
            "score sets.csv -m bleu",
            "score pairs.csv -m bleu --accept high",
            "score pairs.csv -m bleu --accept 2",
            "score pairs.csv -m bleu --min-changed -1",
            "score pairs.csv -m bleu --empty zero",
            "score pairs.csv -m bleu -f xml",
            "score pairs.csv -m bleu -w 99",
            "score pairs.csv -m bleu --workers 0",
            "score pairs.csv -m bleu --baseline nobody",
            "score pairs.csv -m bleu -o scores.xyz",
            "score pairs.csv -m bleu -o pairs.csv --overwrite",
            "score pairs.csv -m bleu -o sets.csv",
            "score pairs.csv -m bleu --run lines.txt",
            "score pairs.csv -m bleu --report sets.csv",
            "score pairs.csv -m cosine --set encoder=no-such-encoder",
            "score pairs.csv -m bleu --set lang=xx",
        ),
    ),
    Case(
        "refused-others",
        (
            "compare nowhere",
            "compare pairs.csv",
            "report nowhere -o report.html",
            "export lines.txt -o scores.csv",
            "runs verify nowhere",
            "paraphrase lines.txt",
            "paraphrase lines.txt --method baem",
            "paraphrase lines.txt --method beam:widht=3",
            "paraphrase lines.txt --method wordswap-1 -n 0",
            "paraphrase lines.txt --method beam -o out.xyz",
            "filter pairs.csv",
            'filter pairs.csv --where "ned.free >="',
            'filter pairs.csv --where "nedd.free >= 1"',
            "filter pairs.csv --best 1",
            "filter pairs.csv --dedupe 3 --by ned.free",
            "meta pairs.csv",
            "meta rated.csv -m bleu --statistic gamma",
            "meta rated.csv -m bleu --level paragraph",
            "meta rated.csv -m bleu --score nobody",
            "meta rated.csv -m bleu --analysis nonsense",
            "tune rated.csv -m bleu --grid order",
            "tune rated.csv -m bleu --grid ordre=1,2",
            "references score --outputs nowhere --reference lines.txt",
            f"references score {WMT} --extra lines.txt",
            "references evaluate wmt --extra-dir wmt/extra --human mood",
            "extrinsic nothing",
            "extrinsic --train reviews.csv --paraphrases paraphrases.jsonl",
            "annotate export lines.txt -o ratings.csv",
            "annotate status nowhere.db",
            "annotate plan pairs.csv",
            "metrics chfr",
            "data show nothing",
            "models get nothing",
            "models verify nothing",
        ),
    ),
]

CASES = [*SCORE, *COMPARE, *PARAPHRASE, *FILTER, *META, *STUDIES, *LISTS, *REFUSED]

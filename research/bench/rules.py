"""How often each rule of `paragauge.verdict.rules` is right, on labelled pairs: writes its rules.json.

    python bench/rules.py [--write] [--half tune]

Pairs of a kind are those that DEMETR, CANNOT, SugarCrepe, CheckList, PAWS and Breaking NLI name so
(PARAGAUGE_DATA/train), or, where none does, true paraphrases changed in that way here (`made`). True paraphrases are
those of MRPC, QQP, PAWS, STS (4.5 of 5 and more), ParaNLU, CANNOT, CheckList and the translations of DEMETR. Half of
the sources were used to write the rules; the figures are of the other half. Precision is that for as many pairs of the
kind as paraphrases, so it does not depend on how large the sets happen to be.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import re
import zlib
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

from paragauge.verdict import rules
from paragauge.verdict.words import places

DATA = Path(os.environ["PARAGAUGE_DATA"]) / "train"
APART = frozenset({"chatter"})  # rules whose pairs are not split here, as each half is a file
MOST = 1500  # true paraphrases of one set
Pair = tuple[str, str]
_TO_POSSIBLE = {"must": "may", "will": "might", "have to": "may", "has to": "may", "need to": "may"}
_SWAPS = _TO_POSSIBLE | {"may": "must", "might": "will", "could": "must"}
_NOT = re.compile(r"n['’]t\b|\b(?:no|not|never|nothing|nobody|without)\b", re.IGNORECASE)
# our own, for texts that none of the sets has
FOREIGN = [
    "Der Ausschuss hat den Vorschlag nach einer langen Debatte abgelehnt, und das ist nicht zu ändern.",
    "Wie kann ich zu Hause lernen, das Klavier zu spielen?",
    "Le comité a rejeté la proposition après un long débat, et ce n'est pas une surprise.",
    "Comment est-ce que je peux apprendre à jouer du piano dans la maison?",
    "El comité rechazó la propuesta después de un largo debate en la capital.",
    "¿Cómo puedo aprender a tocar el piano en la casa de mis padres?",
    "Il comitato ha respinto la proposta dopo un lungo dibattito, e non è una sorpresa per gli studenti.",
    "O comité rejeitou a proposta depois de um longo debate, e não é uma surpresa para os estudantes.",
    "De commissie heeft het voorstel na een lang debat verworpen, en dat is niet te veranderen.",
    "Kommittén avslog förslaget efter en lång debatt och det är inte en överraskning för de som var med.",
    "Komisja odrzuciła wniosek po długiej debacie, ale to nie jest niespodzianka dla studentów.",
    "Komite uzun bir tartışmadan sonra bu öneriyi reddetti ve bu öğrenciler için sürpriz değil.",
    "Комитет отклонил предложение после долгих дебатов.",
    "委员会经过长时间的辩论后否决了该提案。",
    "委員会は長い議論の末、その提案を却下しました。",
    "위원회는 오랜 토론 끝에 그 제안을 거부했습니다.",
    "رفضت اللجنة الاقتراح بعد نقاش طويل.",
    "समिति ने लंबी बहस के बाद प्रस्ताव को खारिज कर दिया।",
]


def rows(name: str) -> list[dict[str, Any]]:
    with gzip.open(DATA / f"{name}.jsonl.gz", "rt", encoding="utf-8") as stream:
        return [json.loads(line) for line in stream]


def of_half(pairs: Iterable[Pair], half: str) -> list[Pair]:
    """The pairs of one half of the sources; paraphrases of each other are in the same half."""
    return [
        pair for pair in pairs if (zlib.crc32(first_of().get(pair[0], pair[0]).encode()) % 2 == 0) == (half == "tune")
    ]


@cache
def first_of() -> dict[str, str]:
    """By the text that perturbed ones are made of, the paraphrase of it that the sets name first."""
    found = {row["b"]: row["a"] for row in rows("demetr")}
    for name in ("mrpc", "sts_2012_2016"):
        found |= {row["b"]: row["a"] for row in rows(name)}
    return found


def demetr(*kinds: str) -> tuple[list[Pair], list[Pair]]:
    """Perturbed texts of these kinds: beside the text itself, and beside another translation."""
    found = [row for row in rows("demetr") if row["group"].partition("_")[2] in kinds]
    return [(row["b"], row["worse"]) for row in found], [(row["a"], row["worse"]) for row in found]


def labelled(name: str, wanted: Callable[[dict[str, Any]], bool]) -> list[Pair]:
    return [(row["a"], row["b"]) for row in rows(name) if wanted(row)]


def paraphrases() -> dict[str, list[Pair]]:
    """True paraphrases, by set."""
    is_one: Callable[[dict[str, Any]], bool] = lambda row: row["label"] == 1  # noqa: E731
    sets = {
        name: labelled(name, is_one) for name in ("mrpc", "natinst_qqp", "natinst_paws", "paranlu", "checklist_qqp")
    }
    sets["paws_qqp"] = labelled("paws_qqp_devtest", is_one)
    sets["cannot"] = labelled("cannot_parts", is_one)
    sets["sts"] = labelled("sts_2012_2016", lambda row: float(row["label"]) >= 4.5)
    sets["demetr"] = list(dict.fromkeys((row["a"], row["b"]) for row in rows("demetr")))
    return sets


def made(sets: dict[str, list[Pair]]) -> tuple[list[Pair], list[Pair]]:
    """Modal verbs exchanged in true paraphrases: beside the text itself, and beside its paraphrase."""
    close, reworded = [], []
    for one, other in (pair for name in ("mrpc", "demetr", "sts") for pair in sets[name]):
        found = re.search(rf"\b({'|'.join(_SWAPS)})\b", other)
        if found:
            changed = other[: found.start()] + _SWAPS[found.group()] + other[found.end() :]
            close.append((other, changed))
            reworded.append((one, changed))
    return close, reworded


def mixed(sets: dict[str, list[Pair]]) -> tuple[list[Pair], list[Pair]]:
    """The words of a text in another order, beside the text itself, half of them with one in five exchanged for words
    of other texts; and beside its paraphrase."""
    chance = random.Random(0)
    close, reworded = [], []
    strange = [word for pairs in sets.values() for one, _ in pairs[:300] for word in one.split()]
    for one, other in (pair for pairs in sets.values() for pair in pairs[:: max(1, len(pairs) // 400)]):
        if len(one.split()) < 5:
            continue
        share = chance.choice((0.0, 0.2))
        own = [chance.choice(strange) if chance.random() < share else word for word in one.split()]
        chance.shuffle(own)
        close.append((one, " ".join(own)))
        reworded.append((other, " ".join(own)))
    return close, reworded


def chatter(half: str) -> list[Pair]:
    """Pairs with more than a paraphrase, in files of their own: those that the rule was written by, and others."""
    written = Path(__file__).parents[1] / "data" / "written"
    files = sorted(written.glob("chatter-report*.jsonl")) if half == "report" else [written / "chatter.jsonl"]
    found = [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]
    return [(row["source"], row["candidate"]) for row in found if not row["good"]]


def kinds(sets: dict[str, list[Pair]], half: str) -> dict[str, tuple[list[Pair], list[Pair], str]]:
    """Pairs of each rule's kind that differ in nothing else, those that are reworded too, and where they are from."""
    crepe = {
        kind: labelled("sugarcrepe", lambda row, kind=kind: row["group"].startswith(kind)) for kind in ("add", "swap")
    }
    check = rows("checklist_qqp")

    def listed(*parts: str) -> list[Pair]:
        return [
            (row["a"], row["b"]) for row in check if row["label"] == 0 and any(part in row["group"] for part in parts)
        ]

    cannot = labelled(
        "cannot_parts",
        lambda row: row["label"] == 0 and row["group"] in ("glue_diagnostic.tsv", "nan_nli.tsv", "sem_anto_neg.tsv",
                                                           "sentiment_labelled_sentences.tsv"),
    )  # fmt: skip
    negated, negated_far = demetr("negation")
    roles = listed("wrong active / passive swap", "Order does matter")
    paws = [
        pair for name in ("natinst_paws", "paws_qqp_devtest") for pair in labelled(name, lambda row: row["label"] == 0)
    ]
    added, added_far = demetr("addition")
    opposite, opposite_far = demetr("antonym")
    opposite += labelled(
        "breaking_nli", lambda row: row["group"].startswith("antonyms") and row["label"] == "contradiction"
    )
    opposite += [pair for pair in cannot if len(_NOT.findall(pair[0])) == len(_NOT.findall(pair[1]))]
    english = [pair[0] for pair in sets["natinst_qqp"][:400] + sets["mrpc"][:400]]
    foreign = [(text, other) for text in english for other in FOREIGN[zlib.crc32(text.encode()) % 3 :: 3]]
    return {
        "number": (*demetr("numbers_replaced"), "DEMETR"),
        "name": (*demetr("ne_replaced"), "DEMETR"),
        "negation": (
            [*negated, *cannot, *listed("should not worry", "{ok, dangerous, ...} not to", "who is not X")],
            negated_far, "DEMETR, CANNOT, CheckList",
        ),
        "modal": (*made(sets), "MRPC, STS, DEMETR with the rule's own verbs exchanged"),
        "question": (*demetr("question"), "DEMETR"),
        "roles": ([*roles, *crepe["swap"], *paws], [], "CheckList, SugarCrepe, PAWS"),
        "antonym": (opposite, opposite_far, "DEMETR, Breaking NLI, CANNOT"),
        "added": ([*added, *crepe["add"], *listed("Modifier: adj")], added_far, "DEMETR, SugarCrepe, CheckList"),
        "dropped": (*demetr("pp_removed", "adj_adv_removed", "verb_removed", "noun_removed", "subj_removed",
                            "ne_removed"), "DEMETR"),
        "garbled": (*demetr("repeat2", "repeat4"), "DEMETR"),
        "shuffled": (*(first + second for first, second in zip(demetr("shuffled"), mixed(sets), strict=True)),
                     "DEMETR; sources of paraphrases shuffled here, half of them with other words put in"),
        "chatter": (chatter(half), [], "pairs written for it, apart from the rule"),
        "language": (foreign, [], "18 sentences of ours in 17 languages, which the rule was tried on"),
    }  # fmt: skip


def share(rule: rules.Rule, pairs: list[Pair]) -> float | None:
    return sum(bool(rule.find(*pair)) for pair in pairs) / len(pairs) if pairs else None


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--half", choices=("tune", "report"), default="report")
    parser.add_argument("--write", action="store_true", help="write rules.json")
    parser.add_argument("--alarms", help="print the false alarms, or with misses: what is missed, of this rule")
    parser.add_argument("--misses", action="store_true")
    asked = parser.parse_args()
    sets = paraphrases()
    true = {name: of_half(pairs, asked.half)[:MOST] for name, pairs in sets.items()}
    pool = [pair for pairs in true.values() for pair in pairs]
    found = {}
    for name, (close, reworded, data) in kinds(sets, asked.half).items():
        if asked.alarms and asked.alarms != name:
            continue
        rule = rules.rules()[name]
        own, far = (close, reworded) if name in APART else (of_half(close, asked.half), of_half(reworded, asked.half))
        recall, alarms = share(rule, own) or 0.0, share(rule, pool) or 0.0
        found[name] = rules.Accuracy(
            precision=recall / (recall + alarms) if recall else 0.0, recall=recall, recall_reworded=share(rule, far),
            false_alarms=alarms, pairs=len(own), paraphrases=len(pool), data=data,
        )  # fmt: skip
        by_set = ", ".join(f"{which} {share(rule, pairs):.1%}" for which, pairs in true.items())
        far_said = "–" if found[name].recall_reworded is None else f"{found[name].recall_reworded:.1%}"
        print(f"{name:9} precision {found[name].precision:.1%}  recall {recall:.1%}  reworded {far_said}  "
              f"alarms {alarms:.1%} ({by_set})", flush=True)  # fmt: skip
        if asked.alarms:
            wanted = [pair for pair in own if not rule.find(*pair)] if asked.misses else [
                pair for pair in pool if rule.find(*pair)
            ]  # fmt: skip
            for pair in wanted[:: max(1, len(wanted) // 30)]:
                print("   ", *pair, [places(one, *pair) for one in rule.find(*pair)], sep="\n      ")
    if asked.write:
        table = {name: measured._asdict() for name, measured in found.items()}
        Path(rules.__file__).with_name("rules.json").write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""A forked child: what the parent has used works again there, or says that it does not; nothing waits for ever."""

import multiprocessing
import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from paragauge.process.forks import PerProcess

pytestmark = pytest.mark.skipif(
    not hasattr(os, "fork") or "fork" not in multiprocessing.get_all_start_methods(), reason="needs fork"
)
SECONDS = 60  # of a program that takes two


def run(program: str, *arguments: object) -> str:
    """What a program prints, in a process of its own: a fork of the one that runs the tests would share its threads."""
    command = [sys.executable, "-W", "ignore", "-c", textwrap.dedent(program)]
    result = subprocess.run([*command, *map(str, arguments)], capture_output=True, text=True, timeout=SECONDS)
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    return result.stdout


def test_a_value_is_made_once_in_each_process_and_never_freed_in_a_child():
    said = run("""
        import os, sys
        from paragauge.process.forks import PerProcess, forked

        class Engine:
            def __init__(self): self.owner = os.getpid()
            def __del__(self): print("freed by", "the owner" if self.owner == os.getpid() else "a child", flush=True)

        engine = PerProcess(Engine)
        assert engine.get() is engine.get() and not forked()
        child = os.fork()
        if not child:
            assert forked() and not engine.made
            assert engine.get().owner == os.getpid()
            engine.forget()
            sys.exit(0)
        assert os.waitpid(child, 0)[1] == 0
        assert engine.get().owner == os.getpid()
        engine.forget()
    """)
    assert said.splitlines() == ["freed by the owner"] * 2


def test_threads_make_a_value_once():
    from concurrent.futures import ThreadPoolExecutor

    made: list[int] = []
    value = PerProcess(lambda: made.append(1) or object())
    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(lambda _: id(value.get()), range(100)))) == 1
    assert made == [1]


POOL = """
    import multiprocessing, sys
    import paragauge as pg

    def work(number):
        {work}

    if __name__ == "__main__":
        here = [work(number) for number in range(4)]
        with multiprocessing.get_context("fork").Pool(2) as pool:
            there = pool.map(work, range(4))
        assert repr(here) == repr(there), (here, there)
        print("equal")
"""
TEXTS = 'sources=["How old are you?"] * 2, candidates=[f"What is your age, {number}?", "How old?"]'


@pytest.mark.parametrize(
    "work",
    [
        f"return pg.metrics.ParaScore(encoder=sys.argv[1], free=True).score({TEXTS}).tolist()",
        f"return pg.score({TEXTS}, metrics=['ned.free', 'bleu.free', 'bertscore.free:encoder=' + sys.argv[1]])"
        ".frame.rows()",
        f"return pg.score({TEXTS}, metrics=['ned.free', 'distinct']).summary().rows()",
        "from paragauge.models import load_encoder; held = globals().setdefault('held', load_encoder(sys.argv[1])); "
        "return [text.vectors.tolist() for text in held.encode(['one two', 'three'])]",
    ],
    ids=["one metric", "several", "a summary", "an encoder that is held"],
)
def test_an_encoder_works_in_a_pool_of_forks(work: str, small_models: Any, tmp_path: Path):
    folder = small_models._encoders().make_model(tmp_path / "model", "bert")
    assert run(POOL.format(work=work), folder) == "equal\n"


def test_a_language_model_works_in_a_pool_of_forks(small_llama: Any):
    work = f"return pg.score({TEXTS}, metrics=['perplexity:language_model=' + sys.argv[1]]).frame.rows()"
    assert run(POOL.format(work=work), small_llama()) == "equal\n"


@pytest.mark.parametrize("kind", ["bart", "bert"])
def test_models_of_pairs_work_in_a_pool_of_forks(kind: str, small_models: Any, tmp_path: Path):
    make = small_models.make_seq2seq if kind == "bart" else small_models.make_classifier
    name = "bartscore" if kind == "bart" else "nli"
    work = f"return pg.score({TEXTS}, metrics=['{name}.free:model=' + sys.argv[1]]).frame.rows()"
    assert run(POOL.format(work=work), make(tmp_path / "model", kind)) == "equal\n"


def test_a_store_is_opened_again_and_a_temporary_one_is_left_to_its_owner():
    said = run("""
        import os, sys
        from paragauge.compute.store import FeatureStore

        store = FeatureStore.temporary()
        store.write("feature", [("key", b"parent")])
        child = os.fork()
        if not child:
            assert store.read("feature", ["key"]) == {"key": b"parent"}
            store.write("feature", [("other", b"child")])
            store.close()
            sys.exit(0)
        assert os.waitpid(child, 0)[1] == 0
        assert store.path.exists()
        assert store.read("feature", ["key", "other"]) == {"key": b"parent", "other": b"child"}
        store.close()
        print(store.path.parent.exists())
    """)
    assert said == "False\n"


def test_what_polars_cannot_do_in_a_child_is_refused(tmp_path: Path):
    said = run(
        """
        import os, sys
        import paragauge as pg
        from paragauge.files.write import write_frame

        scores = pg.score(sources=["a b"], candidates=["a c"], metrics=["ned.free"])
        write_frame(scores.frame.sort("score"), sys.argv[1] + "/parent.csv")
        child = os.fork()
        if not child:
            try:
                write_frame(scores.frame, sys.argv[1] + "/child.csv")
            except pg.ParagaugeError as error:
                print(error)
            sys.exit(0)
        assert os.waitpid(child, 0)[1] == 0
        """,
        tmp_path,
    )
    assert "in a forked process, whose parent has used polars, would never end; start processes by spawn" in said
    assert (tmp_path / "parent.csv").exists()
    assert not (tmp_path / "child.csv").exists()

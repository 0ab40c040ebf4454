"""Endpoints: a server on this machine that speaks the protocol, retries, keys, and answers of every shape."""

import pytest

from paragauge.errors import InputError, ParagaugeError
from paragauge.paraphrasers._prompt import answered, asked, read_prompt
from paragauge.paraphrasers.endpoint import ChatServer, Endpoint


def test_answers_become_candidates(chat_server):
    server = chat_server()
    method = Endpoint(url=server.url, model="m", temperature=0.5, seed=7)
    one, two = method.generate(["first second", "third"], 2)
    assert [candidate.text for candidate in one] == ["second first 7", "second first 8"]
    assert [candidate.text for candidate in two] == ["third 7", "third 8"]
    assert one[0].provenance == {"answer": '1. "second first 7"'}
    (request,) = [own for own in server.asked if "third" in own["messages"][0]["content"]]
    assert (request["model"], request["n"], request["temperature"], request["seed"]) == ("m", 2, 0.5, 7)
    assert request["messages"][0]["content"].endswith("\n\nthird")


def test_a_server_that_gives_one_answer_at_a_time_is_asked_again(chat_server):
    server = chat_server(one_at_a_time=True)
    (found,) = Endpoint(url=server.url).generate(["first second"], 3)
    assert [candidate.text for candidate in found] == [f"second first {number}" for number in range(3)]


@pytest.mark.parametrize("code", [429, 500, 503])
def test_what_may_pass_is_tried_again(chat_server, code):
    waits = []
    server = chat_server(failures=3, code=code)
    client = ChatServer(server.url, "m", tries=4, sleep=waits.append)
    assert client.complete("a b", 1, 0, 0.0, 10) == ['1. "b a 0"']
    assert waits == ([0, 0, 0] if code == 429 else [1, 2, 4])
    assert len(server.asked) == 4


def test_after_the_last_try_it_is_an_error_that_says_what_the_server_said(chat_server):
    server = chat_server(failures=9)
    client = ChatServer(server.url, "m", tries=2, sleep=lambda _: None)
    with pytest.raises(ParagaugeError, match="no answer in 2 tries; the last time: the server is busy"):
        client.complete("a", 1, 0, 0.0, 10)


def test_the_key_comes_from_the_environment_and_goes_nowhere_else(chat_server, monkeypatch):
    server = chat_server(key="secret-7")
    method = Endpoint(url=server.url, key_variable="MY_KEY")
    monkeypatch.delenv("MY_KEY", raising=False)
    with pytest.raises(ParagaugeError, match="401 wrong key; the key is read from the environment variable MY_KEY"):
        list(method.generate(["a b"], 1))
    monkeypatch.setenv("MY_KEY", "secret-7")
    (found,) = method.generate(["a b"], 1)
    assert found[0].text == "b a 0"
    assert "secret-7" not in method.signature + repr(method) + repr(found)


def test_what_is_no_answer_is_refused(chat_server):
    server = chat_server()
    client = ChatServer(server.url, "m", tries=2, sleep=lambda _: None)
    server.body = b'{"result": []}'
    with pytest.raises(ParagaugeError, match="without choices"):
        client.complete("a", 1, 0, 0.0, 10)
    server.body = b"<html>"
    with pytest.raises(ParagaugeError, match="no answer in 2 tries"):
        client.complete("a", 1, 0, 0.0, 10)
    wrong = ChatServer(server.url.replace("/v1", "/v2"), "m", tries=3, sleep=lambda _: None)
    server.body = None
    with pytest.raises(ParagaugeError, match="404 no such path"):
        wrong.complete("a", 1, 0, 0.0, 10)


@pytest.mark.parametrize("code", [400, 413, 422])
def test_a_source_that_is_refused_has_a_reason_and_the_others_their_answers(chat_server, code):
    server = chat_server(refused={"bomb": code})
    method = Endpoint(url=server.url, requests=2)
    one, two, three, four = method.generate(["first second", "a bomb", "third", "a bomb"], 2)
    assert [[candidate.text for candidate in own] for own in (one, three)] == [
        ["second first 0", "second first 1"],
        ["third 0", "third 1"],
    ]
    assert two == four == []
    assert two.reason == four.reason == f"the endpoint refused: {code} the prompt was filtered"
    server.refused = {}
    (later,) = method.generate(["a bomb"], 1)
    assert (later[0].text, later.reason) == ("bomb a 0", "")


def test_what_a_server_says_at_length_is_shortened(chat_server):
    server = chat_server(refused={"bomb": 400}, words="no " * 2000)
    (found,) = Endpoint(url=server.url).generate(["a bomb"], 1)
    assert len(found.reason) < 250


def test_answers_before_a_refusal_are_kept(chat_server):
    server = chat_server(one_at_a_time=True)
    answer, asked_before = server.answer, server.asked

    def second_refused(path, authorization, content):
        return (400, {"error": "no more"}) if asked_before else answer(path, authorization, content)

    server.answer = second_refused
    (found,) = Endpoint(url=server.url).generate(["first second"], 2)
    assert [candidate.text for candidate in found] == ["second first 0"]


@pytest.mark.parametrize("code", [401, 403, 404])
def test_a_wrong_key_model_or_url_ends_the_run(chat_server, code):
    server = chat_server(failures=99, code=code)
    with pytest.raises(ParagaugeError, match=f"refused: {code} the server is busy"):
        list(Endpoint(url=server.url, requests=2).generate(["a", "b", "c"] * 20, 1))
    assert len(server.asked) <= 2


def test_nobody_at_home_and_no_url():
    client = ChatServer("http://127.0.0.1:9/v1", "m", tries=1)
    with pytest.raises(ParagaugeError, match="no answer in 1 tries"):
        client.complete("a", 1, 0, 0.0, 10)
    with pytest.raises(InputError, match="is not a URL"):
        Endpoint(url="localhost:8000").server()
    with pytest.raises(InputError, match="needs a URL"):
        list(Endpoint().generate(["a"], 1))


def test_a_prompt_of_the_user(tmp_path, chat_server):
    file = tmp_path / "prompt.txt"
    file.write_text("In other words:\n{source}\n")
    server = chat_server()
    list(Endpoint(url=server.url, prompt=str(file)).generate(["x {source} y"], 1))
    assert server.asked[0]["messages"][0]["content"] == "In other words:\nx {source} y"
    file.write_text("no place")
    with pytest.raises(InputError, match="0 times; expected once"):
        read_prompt(str(file))
    with pytest.raises(InputError, match="cannot be read"):
        read_prompt(str(tmp_path / "absent.txt"))
    assert asked(read_prompt("default"), "S").endswith("\n\nS")


@pytest.mark.parametrize(
    "answer, expected",
    [
        ("He left.", "He left."),
        ('"He left."', "He left."),
        ("Sure! Here is one:\n\n- He left.", "He left."),
        ("1) He left.\n2) He went.", "He left."),
        ("Paraphrase: “He left.”", "He left."),
        ("Here he comes.", "Here he comes."),
        ("\n \n", ""),
    ],
)
def test_the_paraphrase_in_an_answer(answer, expected):
    assert answered(answer) == expected

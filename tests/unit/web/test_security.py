"""Who may ask, and what is answered to the others."""

import asyncio
import json

import pytest

from paragauge.errors import InputError
from paragauge.web.guard import Guard, Hosts, Place, is_loopback, parse_origin, parse_place
from paragauge.web.serving import serve

TOKEN = "0123456789abcdef"


async def _application(_scope, _receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/plain")]})
    await send({"type": "http.response.body", "body": b"within"})


def ask(path="/", method="GET", query="", host="127.0.0.1:8000", bound="127.0.0.1", trusted=(), token=TOKEN, **headers):
    """Status, headers and body of what a guarded application answers."""
    given = [(b"host", host.encode("utf-8"))] + [
        (name.replace("_", "-").encode(), value.encode("latin-1")) for name, value in headers.items()
    ]
    if token:
        given.append((b"authorization", f"Bearer {token}".encode()))
    scope = {"type": "http", "method": method, "path": path, "raw_path": path.encode(),
             "query_string": query.encode(), "headers": given}  # fmt: skip
    sent = []

    async def send(message):
        sent.append(message)

    async def receive():
        return {"type": "http.request", "body": b""}

    guard = Guard(_application, token=TOKEN, hosts=Hosts(bound, trusted), port=8000)
    asyncio.run(guard(scope, receive, send))
    found = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], found, b"".join(message.get("body", b"") for message in sent[1:])


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8000", "127.0.0.1:9", "127.1.2.3", "[::1]:80", "localhost."])
def test_this_machine_by_any_name(host):
    assert ask(host=host)[0] == 200


@pytest.mark.parametrize(
    "host",
    [
        "example.org", "127.0.0.1.example.org", "localhost.example.org:8000", "xlocalhost", "0.0.0.0:8000",
        "192.168.1.5", "[::2]", "2130706433", "127.1", "0x7f.0.0.1", "127.0.0.1.", "localhost..", "[::]",
        "[::ffff:192.168.1.5]", "[::ffff:0:127.0.0.1]", "localhost.localdomain", "example.org:80",
    ],
)  # fmt: skip
def test_a_foreign_host_is_refused_and_the_error_says_what_to_do(host):
    status, _, body = ask(host=host)
    assert status == 403
    assert "trusted_host=" in json.loads(body)["detail"]


@pytest.mark.parametrize(
    "host",
    [
        "", "localhost:x", "localhost:99999", "a@localhost", "localhost/", "[::1", "local host", "localhost,x",
        "[::1].example.org", "example.org[::1]", "[::1]example.org", "[::1]x:80", "[[::1]]", "[::1][::1]", "[]",
        "[::1]:", "::1", "::1]", "[localhost]", "[127.0.0.1]", "[::1%lo]", "[::1%25lo]", "[v1.::1]", "[::1] ",
        " localhost",
        "localhost:80:80", "localhost:-1", "localhost:+80", "localhost:8_0", "localhost:٨٠", "localhost\n",
        "localhost\0", "localhost\t", "localhost#", "localhost?", "localhost\\", "example.org@localhost",
        "localhost:80@example.org",
        "localhost%00.example.org", "localhost;example.org", "http://localhost", "//localhost", "*", "lócalhost",
    ],
)  # fmt: skip
def test_a_host_that_is_none_is_refused(host):
    assert ask(host=host)[0] == 400
    assert parse_place(host) is None
    assert parse_origin(f"http://{host}") is None


def test_trusted_hosts_are_compared_whole():
    assert ask(host="judge.example.org:8000", trusted=["Judge.example.org"])[0] == 200
    assert ask(host="[2001:db8:0::1]", trusted=["2001:db8::1"])[0] == 200
    assert ask(host="xjudge.example.org", trusted=["judge.example.org"])[0] == 403
    assert ask(host="a.example.org", trusted=["*.example.org", "*"])[0] == 403


def test_bound_to_all_addresses_it_answers_under_any_address_and_no_name():
    assert ask(host="192.168.1.5:8000", bound="0.0.0.0")[0] == 200
    assert ask(host="rebound.example.org:8000", bound="0.0.0.0")[0] == 403


@pytest.mark.parametrize(
    "origin",
    [
        "http://example.org", "null", "http://127.0.0.1:9000", "http://127.0.0.1", "http://127.0.0.1:8000.example.org",
        "http://localhost:8000", "file://", "",
    ],
)  # fmt: skip
def test_a_page_of_another_origin_is_refused_even_with_the_token(origin):
    assert ask(origin=origin)[0] == 403
    assert ask(method="POST", origin=origin)[0] == 403


def test_our_own_page_may_ask():
    assert ask(origin="http://127.0.0.1:8000", sec_fetch_site="same-origin")[0] == 200
    assert ask(host="judge.org", trusted=["judge.org"], origin="https://judge.org")[0] == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site", "same-origin, cross-site", "x"])
def test_a_request_of_another_site_is_refused(site):
    assert ask(sec_fetch_site=site)[0] == 403


@pytest.mark.parametrize("token", ["", "0123456789abcdeF", TOKEN + "0", TOKEN[:-1], "é"])
def test_another_token_is_refused(token):
    assert ask(token=token)[0] == 401
    assert ask(token="", cookie=f"paragauge-8000={token}")[0] == 401
    assert ask(token="", query=f"token={token}")[0] == 401


def test_the_cookie_of_another_port_does_not_open_this_one():
    assert ask(token="", cookie=f"paragauge-8001={TOKEN}")[0] == 401
    assert ask(token="", cookie=f"a=b; paragauge-8001=x; paragauge-8000={TOKEN}")[0] == 200


def test_the_token_in_the_address_becomes_a_cookie_and_leaves_the_address():
    status, headers, _ = ask("/runs", query=f"a=1&token={TOKEN}", token="")
    assert status == 303
    assert headers["location"] == "/runs?a=1"
    cookie = headers["set-cookie"]
    assert cookie.startswith(f"paragauge-8000={TOKEN};")
    assert {"HttpOnly", "SameSite=Strict"} <= {part.strip() for part in cookie.split(";")}


@pytest.mark.parametrize("path", ["//example.org/", "/\\example.org", "///example.org"])
def test_the_way_back_never_leads_elsewhere(path):
    assert ask(path, query=f"token={TOKEN}", token="")[1]["location"] == "/" + path.lstrip("/\\")


def test_a_token_in_the_address_of_a_change_is_not_enough():
    assert ask(method="POST", query=f"token={TOKEN}", token="")[0] == 401


def test_health_needs_no_token_but_the_right_host():
    assert ask("/healthz", token="")[0] == 200
    assert ask("/healthz", token="", host="example.org")[0] == 403


def test_every_answer_carries_the_policy():
    for status, headers, _ in (ask(), ask(token=""), ask(host="example.org")):
        assert "default-src 'none'" in headers["content-security-policy"], status
        assert headers["x-content-type-options"] == "nosniff"


def test_a_refusal_says_what_it_is():
    status, headers, body = ask(token="")
    assert headers["content-type"].startswith("application/problem+json")
    assert json.loads(body)["status"] == status == 401
    assert "www-authenticate" in headers


def test_a_host_given_twice_is_refused():
    assert ask(Host="localhost")[0] == 400


def test_places():
    assert parse_place("a.b:1") == Place("a.b", 1)
    assert parse_place("[::ffff:127.0.0.1]") == parse_place("127.0.0.1")
    assert parse_origin("http://a") == Place("a", 80)
    assert [is_loopback(host) for host in ("localhost", "127.8.0.1", "::1")] == [True] * 3
    assert [is_loopback(host) for host in ("0.0.0.0", "::", "10.0.0.1", "example.org")] == [False] * 4


def test_an_address_that_others_can_reach_needs_a_token_of_its_own():
    pytest.importorskip("uvicorn", reason="a server needs the extra 'serve'")
    with pytest.raises(InputError, match="token"):
        serve(_application, host="0.0.0.0", port=0, announce=pytest.fail)
    with pytest.raises(InputError, match="at least 16"):
        serve(_application, host="0.0.0.0", port=0, token="short", announce=pytest.fail)

"""A candidate in another language than its source: by script, or by the commonest words."""

from __future__ import annotations

import unicodedata
from collections import Counter
from functools import lru_cache

from ...text.normalize import normalize
from ..english import vocabulary, words
from ..findings import Outcome, Places, Span

KIND = "not the language"
OUTCOME = Outcome.LANGUAGE
ENGLISH = False
_FEWEST = 4  # letters by which a script is told
_COMMON = {
    "English": "the of and to in is that it for was with as are this be have from or not by but you what how can do i "
    "a an at on we my who why when which should does did has had been their were will would some if they he she his",
    "German": "der die das und ist nicht ein eine zu mit auf für sich auch es den dem von wie ich sie wir haben wird "
    "du bist bin sind wer wo warum aber oder wenn noch nur mich dich uns kann mein dein kein keine im zum zur hast ihr",
    "French": "le la les des et est une un que qui dans pour pas sur avec il elle du au ce ne se vous nous sont plus "
    "je tu mon mes ses ces cette mais ou où suis ont été très ça quel quelle pourquoi leur de",
    "Spanish": "el la los las de que y en un una es por con para no se su al lo como más pero está son muy del qué yo "
    "ella ellos este esta hay cuando dónde quién porque eres soy tiene sin nos",
    "Italian": "il lo gli di che è un una per non con sono della del nel dei si anche come più ma questo ha le alla io "
    "tu mi sei ho hai questa quello dove quando perché molto ci noi la",
    "Portuguese": "o os as de que e um uma não para com por em do da no na se é mais como mas ao são você está dos eu "
    "ele ela meu minha foi tem isso quando onde muito porque estou seu sua",
    "Dutch": "de het een en van is dat niet in op te zijn voor met die er aan ook ik je we hij naar om heeft maar jij "
    "hoe waar wie ben bent nog mijn dit uit geen",
    "Swedish": "och att det som en är på för med av inte den till har jag ett om men var från så kan vi de man du hur "
    "han hon vad mig min",
    "Danish": "og at det er en på til af for med ikke den der har jeg som et de fra var men vi kan om så du hvad hvor "
    "han hun mig min",
    "Polish": "i w nie na się że jest do to z jak co o po ale za od dla są czy tak przez być tym który ja ty mam",
    "Turkish": "bir ve bu da de için ile çok ne mi daha gibi var en ama olarak olan ben o kadar değil sonra sen biz "
    "nasıl nerede",
    "Finnish": "ja on ei että se oli joka hän mutta ovat kun niin mitä tämä sen kuin myös ole olla siitä minä olen",
    "Indonesian": "yang dan di itu dengan untuk tidak ini dari dalam akan pada saya ke bisa ada mereka apa anda sudah "
    "kamu dia",
}
# words of the others that English has too: by these alone no text is taken for another language
_SHARED = vocabulary(
    """no die man men come son bin den fur plus pour hay sin con dove hoe met bent till med min ale van ben mas ha ho
    non ma pa da la mi so do to on in at for as we is i a an be was of has had"""
)
_ENGLISH = frozenset(_COMMON["English"].split())
# as texts are compared, without accents; för is not for
_LANGUAGES = {
    name: frozenset(
        normalize(word) for word in listed.split() if word == normalize(word) or normalize(word) not in _ENGLISH
    )
    for name, listed in _COMMON.items()
}


def find(source: str, candidate: str) -> list[Places]:
    """The whole of both texts."""
    if not _differ(normalize(source), normalize(candidate)):
        return []
    return [(Span(0, len(source)), Span(0, len(candidate)))]


def _differ(source: str, candidate: str) -> bool:
    scripts = _script_of(source), _script_of(candidate)
    if None in scripts or scripts[0] != scripts[1]:
        return None not in scripts
    if scripts[0] != "LATIN":
        return False
    here, there = _counts(source), _counts(candidate)
    one, other = (counts.most_common(1)[0][0] for counts in (here, there))
    if not all(_tells(text, name) for text, name in ((source, one), (candidate, other))):
        return False
    if here[one] >= max(2, 2 * here[other]) and there[other] >= max(3, 2 * there[one]):
        return True
    return bool(here[one]) and not here[other] and not there[one] and _is_short(source, candidate, other)


def _tells(text: str, name: str) -> bool:
    """Has it a word of the language that English has not?"""
    return name == "English" or any(word.lower in _LANGUAGES[name] - _SHARED for word in words(text))


def _is_short(source: str, candidate: str, other: str) -> bool:
    """Are two words of the other language a good part of a short text, which the source does not have?"""
    known = {word.lower for word in words(source)}
    found = [word.lower for word in words(candidate)]
    own = {word for word in found if word in _LANGUAGES[other]} - known
    return len(own) >= 2 and 3 * len(own) >= len(found)


def language(text: str) -> str | None:
    """The language of a Latin text, else the script; None where too little tells."""
    text = normalize(text)
    script = _script_of(text)
    if script != "LATIN":
        return script
    (best, most), (_, second) = _counts(text).most_common(2)
    return best if most >= 3 and most >= 2 * second else None


@lru_cache(maxsize=1024)
def _script_of(text: str) -> str | None:
    """The script that most letters are of; Japanese, which has several, by its syllables."""
    if text.isascii():
        return "LATIN" if sum(map(str.isalpha, text)) >= _FEWEST else None
    scripts = Counter(_script(letter) for letter in text if letter.isalpha())
    if scripts.total() < _FEWEST:
        return None
    kana = scripts["HIRAGANA"] + scripts["KATAKANA"]
    if 10 * kana > scripts.total() and 2 * (kana + scripts["CJK"]) > scripts.total():
        return "HIRAGANA"
    script, most = scripts.most_common(1)[0]
    return script if 2 * most > scripts.total() else None


@lru_cache(maxsize=4096)
def _script(letter: str) -> str:
    return unicodedata.name(letter, "?").partition(" ")[0]


@lru_cache(maxsize=1024)
def _counts(text: str) -> Counter[str]:
    """How many of its words are common ones of each language."""
    found = [word.lower for word in words(text)]
    if 2 * sum(len(word) == 1 for word in found) > len(found):  # letters set apart are no words
        found = []
    return Counter({name: sum(word in common for word in found) for name, common in _LANGUAGES.items()})

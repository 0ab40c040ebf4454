"""Trees with words as leaves, and bracketed parses read and written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from paragauge.errors import InputError

_TOKEN = re.compile(r"[()]|[^\s()]+")


@dataclass(frozen=True, slots=True)
class Tree:
    """A label over children, which are trees or words.

    >>> tree = read_tree("(NP (D a) (N cat))")
    >>> tree.label, [child.label for child in tree.children], list(words(tree))
    ('NP', ['D', 'N'], ['a', 'cat'])
    """

    label: str
    children: tuple[Tree | str, ...] = ()


@dataclass(slots=True)
class _Open:
    """A bracket that is not closed yet."""

    start: int
    label: str = ""
    children: list[Tree | str] = field(default_factory=list)


def read_tree(text: str) -> Tree | None:
    """The one tree of a bracketed parse; None where the parser failed: `(())`, `()` or nothing at all.

    A bracket without a label around one tree, as the Berkeley parser and the Penn Treebank put it, is left out. That
    parser prints a number in parentheses unescaped, `(CD (41:23))`; so a bracket with nothing but a label is a word,
    unless the tree has no other words: then it is a tag whose word was taken away.

    >>> read_tree("( (S (N it) (V rains)) )").label
    'S'
    >>> list(words(read_tree("(NP (N score) (CD (41:23)))")))
    ['score', '(41:23)']
    """
    trees = list(read_trees(text))
    if len(trees) > 1:
        raise InputError(f"expected one bracketed parse, found {len(trees)}: {text.strip()!r:.60}")
    return trees[0] if trees else None


def read_trees(text: str) -> Iterator[Tree | None]:
    """Every bracketed parse of a text, each over as many lines as it likes; an error names the character."""
    stack: list[_Open] = []
    for match in _TOKEN.finditer(text):
        token, place = match[0], match.start()
        if token == "(":
            stack.append(_Open(place))
        elif not stack:
            found = "a ')' without its '('" if token == ")" else f"'{token:.20}' outside of brackets"
            raise _fault(text, place, found)
        elif token == ")":
            closed = stack.pop()
            tree = _close(closed)
            if not stack:
                yield _with_parentheses(tree) if tree is not None else None
            elif tree is not None:
                stack[-1].children.append(tree)
            elif any(outer.label for outer in stack):
                raise _fault(text, closed.start, "an empty bracket")
        elif stack[-1].label or stack[-1].children:
            stack[-1].children.append(token)
        else:
            stack[-1].label = token
    if stack:
        raise _fault(text, stack[-1].start, "a '(' that is never closed")


def _close(node: _Open) -> Tree | None:
    if not node.label and not node.children:
        return None
    if not node.label and len(node.children) == 1 and isinstance(node.children[0], Tree):
        return node.children[0]
    return Tree(node.label, tuple(node.children))


def _with_parentheses(tree: Tree) -> Tree:
    """Brackets with nothing but a label to words, where the tree has words."""
    nodes = list(bottom_up(tree))
    if all(node.children for node in nodes) or not any(
        isinstance(child, str) for node in nodes for child in node.children
    ):
        return tree
    made: dict[int, Tree | str] = {}
    for node in nodes:
        children = tuple(made[id(child)] if isinstance(child, Tree) else child for child in node.children)
        made[id(node)] = Tree(node.label, children) if children else f"({node.label})"
    whole = made[id(tree)]
    assert isinstance(whole, Tree)  # it has words
    return whole


def _fault(text: str, place: int, found: str) -> InputError:
    line = text.count("\n", 0, place) + 1
    column = place - (text.rfind("\n", 0, place) + 1) + 1
    where = f"line {line}, character {column}" if "\n" in text.strip() else f"character {place + 1}"
    return InputError(f"not a bracketed parse: {found} at {where}, near {text[max(place - 15, 0) : place + 25]!r}")


def read_lines(lines: Iterable[str], name: str = "the parses") -> list[Tree | None]:
    """One parse per line, as parsers print them; None where a line holds no tree, so that lines stay aligned."""
    found = []
    for number, line in enumerate(lines, 1):
        try:
            found.append(read_tree(line))
        except InputError as error:
            raise InputError(f"{name}, line {number}: {error}") from None
    return found


def bottom_up(tree: Tree) -> Iterator[Tree]:
    """Every node, children before their parent; without recursion, so that no depth is too deep."""
    order, stack = [], [tree]
    while stack:
        node = stack.pop()
        order.append(node)
        stack.extend(child for child in node.children if isinstance(child, Tree))
    return reversed(order)


def words(tree: Tree) -> Iterator[str]:
    """The leaves that are words, from left to right."""
    stack: list[Tree | str] = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            yield node
        else:
            stack.extend(reversed(node.children))


def written(tree: Tree) -> str:
    """The tree in brackets on one line; brackets in words and labels are escaped as in the Penn Treebank.

    >>> written(Tree("NP", (Tree("D", ("a",)), Tree("N", ("cat",)))))
    '(NP (D a) (N cat))'
    """
    parts: list[str] = []
    stack: list[Tree | str | None] = [tree]  # None closes a bracket
    while stack:
        node = stack.pop()
        if node is None:
            parts[-1] += ")"
        elif isinstance(node, str):
            parts.append(escaped(node))
        else:
            parts.append(f"({escaped(node.label)}")
            stack.append(None)
            stack.extend(reversed(node.children))
    return " ".join(parts)


def escaped(word: str) -> str:
    """A word that can stand in a bracketed parse.

    >>> escaped("("), escaped("a b")
    ('-LRB-', 'a_b')
    """
    return "_".join(word.replace("(", "-LRB-").replace(")", "-RRB-").split())

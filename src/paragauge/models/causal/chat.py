"""A message in the form in which an instruct model was taught to meet it."""

from __future__ import annotations

import hashlib
from typing import Any

from ...errors import InputError, ModelError
from ...process.extras import require

# Models differ in the line that stands for the user, so the template itself says what is around the message. Templates
# are programs for jinja2; these, by their sha256, are known without it.
_KNOWN = {
    "872be49dbb638044ad01b60388f48d469ff2980e5f0dccdc22ec907db54d0788": (
        "<|im_start|>system\nYou are a helpful AI assistant named SmolLM, trained by Hugging Face<|im_end|>\n"
        "<|im_start|>user\n",
        "<|im_end|>\n<|im_start|>assistant\n",
    ),
}
_MESSAGE = "\u2402message\u2403"  # nothing that a template would look for


def chat_template(template: str | None, model: str, specials: dict[str, str]) -> tuple[str, str]:
    """What stands before and behind the user's message, up to where the reply begins."""
    if template is None:
        raise InputError(f"{model} has no chat template, so it cannot be asked; use an instruct model")
    known = _KNOWN.get(hashlib.sha256(template.encode()).hexdigest())
    return known if known is not None else rendered(template, model, specials)


def rendered(template: str, model: str, specials: dict[str, str]) -> tuple[str, str]:
    """The same by jinja2, in a sandbox, as transformers does it."""
    sandbox = require("jinja2.sandbox", "lm", f"the chat template of {model} needs jinja2")

    def refuse(sentence: str) -> None:
        raise ModelError(sentence)

    environment: Any = sandbox.ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
    environment.globals["raise_exception"] = refuse
    try:
        text = environment.from_string(template).render(
            messages=[{"role": "user", "content": _MESSAGE}], add_generation_prompt=True, **specials
        )
    except Exception as error:  # a template may fail in any way
        raise ModelError(f"the chat template of {model} cannot be used: {error}") from None
    before, found, after = text.partition(_MESSAGE)
    if not found:
        raise ModelError(f"the chat template of {model} leaves out the user's message")
    return before, after

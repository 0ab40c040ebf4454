"""Models as transformers and torch run them: the extra `torch`. Code that comes with a model is never run."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..errors import InputError, ModelError
from ..process.extras import require
from .encoders.ctranslate import chosen_device
from .encoders.tokenize import read_tokenizer
from .hub.locate import ModelFiles


class Torch(NamedTuple):
    """torch, transformers, the device that they compute on, and the name of all that in a signature."""

    torch: Any
    transformers: Any
    device: str
    backend: str


def require_torch(model: ModelFiles, precision: str) -> Torch:
    """What runs the model, or the error that names what to install."""
    kind = model.config["model_type"]
    if precision != "float32":
        raise InputError(f"precision={precision} is not available for a {kind} model; it runs in float32")
    torch, transformers = (
        require(module, "torch", f"{model.name} is a {kind} model, which needs torch")
        for module in ("torch", "transformers")
    )
    device = chosen_device(torch.cuda.device_count())
    return Torch(torch, transformers, device, f"torch-{torch.__version__}-{device}")


def load_torch(family: Any, model: ModelFiles, *, complete: bool = True) -> Any:
    """The model as transformers has it; weights that a `complete` folder lacks would be random, and are refused."""
    try:
        loaded, report = family.from_pretrained(
            model.folder, trust_remote_code=False, local_files_only=True, output_loading_info=True
        )
    except Exception as error:  # transformers raises whatever its parts raise
        raise ModelError(f"transformers cannot load {model.name}: {str(error).splitlines()[0]}") from None
    if complete and (missing := sorted(report["missing_keys"])):
        raise ModelError(f"the weights of {model.name} lack '{missing[0]}' and {len(missing) - 1} more")
    return loaded.float().eval()


def own_tokenizer(model: ModelFiles) -> Any:
    """The tokenizer of transformers, for a folder without tokenizer.json."""
    reason = f"{model.name} has no tokenizer.json; its own tokenizer needs transformers"
    transformers = require("transformers", "torch", reason, "sentencepiece")
    try:
        return transformers.AutoTokenizer.from_pretrained(model.folder, trust_remote_code=False, local_files_only=True)
    except Exception as error:  # among them the absence of the package that a vocabulary needs
        raise ModelError(f"the tokenizer of {model.name} cannot be read: {str(error).splitlines()[0]}") from None


def backend_tokenizer(model: ModelFiles) -> Any:
    """The fast tokenizer of a model folder, by way of transformers where there is no tokenizer.json."""
    if (model.folder / "tokenizer.json").is_file():
        return read_tokenizer(model.folder)
    try:
        return own_tokenizer(model).backend_tokenizer
    except AttributeError:
        raise ModelError(f"the tokenizer of {model.name} cannot be read: it has no fast form") from None

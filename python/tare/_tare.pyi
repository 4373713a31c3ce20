# The extension module is for the files beside it; its functions are described in python/src.
from typing import Any

version: str

def __getattr__(name: str) -> Any: ...

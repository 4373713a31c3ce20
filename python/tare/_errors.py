"""What goes wrong, with its remedy."""

from __future__ import annotations


class Error(ValueError):
    """Data or options that tare cannot work with.

    Attributes
    ----------
    message : str
        Value and place: ``probs: row 17, column 2: probability is 3.2, not in [0, 1]``.
    code : str
        ``bad_input``, ``bad_option``, ``io``, ``undefined`` (the quantity does not exist for these data),
        ``unsupported`` (it exists, but not in this combination) or ``out_of_memory``.
    hint : str
        What to do about it; may be empty.
    """

    def __init__(self, message: str, code: str = "bad_input", hint: str = "") -> None:
        self.message = message
        self.code = code
        self.hint = hint
        super().__init__(self.message + (f"\nhint: {self.hint}" if self.hint else ""))

    def __reduce__(self) -> tuple[type[Error], tuple[str, str, str]]:
        return type(self), (self.message, self.code, self.hint)


class FitWarning(UserWarning):
    """A calibrator whose fit did not end at a certified optimum; the message says where it stopped and why."""

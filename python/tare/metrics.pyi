# Made by docs/python_reference.py from the tables of the library; do not edit.
from typing import Any, Literal

from typing_extensions import Self

class Scorer:
    name: str
    options: dict[str, Any]
    response: str
    def __init__(self, name: str, options: dict[str, Any], response: str) -> None: ...
    def __call__(self, estimator: Any, X: Any, y: Any, sample_weight: Any = None) -> float: ...
    def set_score_request(self, *, sample_weight: bool | str | None = None) -> Self: ...
    def get_metadata_routing(self) -> Any: ...

def scorer(name: str, *, response: Literal["predict_proba", "decision_function"] = "predict_proba", **options: Any) -> Scorer: ...

SCORERS: dict[str, Scorer]
neg_ece_ew: Scorer
neg_ece_em: Scorer
neg_debias_ew: Scorer
neg_debias_em: Scorer
neg_sweep_ew: Scorer
neg_sweep_em: Scorer
neg_rank_poly: Scorer
neg_rank_sign: Scorer
neg_lb_ew: Scorer
neg_lb_em: Scorer
neg_mce_ew: Scorer
neg_mce_em: Scorer
neg_kde: Scorer
neg_smece: Scorer
neg_ks: Scorer
neg_corp: Scorer
neg_brier: Scorer
neg_nll: Scorer
accuracy: Scorer
confidence: Scorer

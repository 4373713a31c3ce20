"""Numbers and report of a measurement in a run of MLflow: python mlflow_logging.py predictions.npz"""

import sys
import tempfile
from pathlib import Path

import mlflow

import tare


def log_calibration(*file, name: str = "calibration", **data) -> "tare.Measurement":
    """Measures and logs into the active run: a metric for each estimator, the verdict as a tag, the answer as JSON, the page as HTML."""
    found = tare.measure(*file, **data)
    mlflow.log_metrics({f"{name}.{key}": value for key, value in found.to_scalars().items()})
    mlflow.set_tag(f"{name}.verdict", found.verdict.outcome)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / f"{name}.json").write_text(found.to_json())
        tare.report(*file, **data).save(Path(folder) / f"{name}.html")
        mlflow.log_artifacts(folder)
    return found


if __name__ == "__main__":
    with mlflow.start_run():
        print(log_calibration(sys.argv[1]).verdict.sentence)

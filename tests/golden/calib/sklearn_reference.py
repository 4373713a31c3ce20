"""What scikit-learn says about the data of ../data.csv: python3 sklearn_reference.py ../data.csv > sklearn.csv

isotonic    IsotonicRegression(out_of_bounds="clip"), prediction at x
weighted    the same with sample_weight = 1, 2, 3, 1, 2, 3, ... in the order of the rows
slope       LogisticRegression(C=inf) on the log-odds of the scores; x is 0 for the slope and 1 for the intercept
Data sets whose classes the score separates have no logistic optimum and are left out of `slope`.
"""
import csv
import sys

import numpy as np
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

data = {}
with open(sys.argv[1], newline="") as file:
    for row in csv.DictReader(file):
        scores, hits = data.setdefault(row["dataset"], ([], []))
        scores.append(float(row["score"]))
        hits.append(int(row["hit"]))

grid = np.arange(51) / 50
print("dataset,what,x,value")
for name, (scores, hits) in data.items():
    s, y = np.array(scores), np.array(hits)
    weight = 1.0 + np.arange(len(s)) % 3
    for what, w in (("isotonic", None), ("weighted", weight)):
        fitted = IsotonicRegression(out_of_bounds="clip").fit(s, y, sample_weight=w).predict(grid)
        for x, value in zip(grid, fitted):
            print(f"{name},{what},{float(x)!r},{float(value)!r}")
    if y.min() == y.max() or s[y == 0].max() <= s[y == 1].min() or s[y == 1].max() <= s[y == 0].min():
        continue
    if s.min() <= 0 or s.max() >= 1:
        continue
    z = (np.log(s) - np.log1p(-s))[:, None]
    fitted = LogisticRegression(C=np.inf, solver="newton-cholesky", tol=1e-12, max_iter=1000).fit(z, y)
    print(f"{name},slope,0,{float(fitted.coef_[0, 0])!r}")
    print(f"{name},slope,1,{float(fitted.intercept_[0])!r}")

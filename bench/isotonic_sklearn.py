# CPU seconds of scikit-learn's IsotonicRegression on n rows: uniform scores, labels drawn from them. Best of three.
import sys
import time

import numpy as np
from sklearn.isotonic import IsotonicRegression

n = int(sys.argv[1])
rng = np.random.default_rng(1)
score = rng.random(n)
label = (rng.random(n) < score).astype(float)
seconds = []
for _ in range(3):
    start = time.process_time()
    IsotonicRegression(out_of_bounds="clip").fit(score, label)
    seconds.append(time.process_time() - start)
print(min(seconds))

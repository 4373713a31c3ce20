"""A scikit-learn classifier with honest probabilities, chosen by a proper score.

    python examples/python/scikit_learn.py
"""

from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.naive_bayes import GaussianNB

import tare

X, y = make_classification(2000, n_features=20, n_informative=5, n_redundant=10, n_classes=3, random_state=0)
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)

for base in (GaussianNB(), RandomForestClassifier(20, random_state=0)):
    plain = base.fit(X_train, y_train)
    # Which repair? Ask a proper score, never an ECE: that can be lowered by throwing information away.
    search = GridSearchCV(tare.CalibratedClassifier(base), {"method": ["temperature", "vector", "isotonic"]},
                          scoring=tare.metrics.neg_brier, cv=3).fit(X_train, y_train)
    print(f"{type(base).__name__}: {search.best_params_['method']}")
    for name, model in (("as it is", plain), ("repaired", search.best_estimator_)):
        m = tare.measure(probs=model.predict_proba(X_test), labels=y_test)
        print(f"  {name}: ece_em {m['ece_em'].value:.4f} (noise up to {m['ece_em'].floor_high:.4f}), brier {m['brier'].value:.4f}")

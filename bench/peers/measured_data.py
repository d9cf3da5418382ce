"""Measured data that scikit-learn brings along, as .npy in the folder named: digits, and tumours with their kind in the last column."""
import pathlib
import sys

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
tumours = load_breast_cancer()
np.save(folder / "digits.npy", np.ascontiguousarray(load_digits().data))
np.save(folder / "breast-cancer.npy", np.column_stack([tumours.data, tumours.target.astype(float)]))

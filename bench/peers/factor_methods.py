"""Rotations of factor-analyzer: varimax by singular values (Kaiser's rows of length 1), quartimax by gradient projection (GPArotation)."""
from factor_analyzer.rotator import Rotator

from specialists import iterated

MOST = 10000


def rotation(kind, tol):
    def rotate(f, X0, _):
        rotator = Rotator(method=kind, normalize=True, max_iter=MOST, tol=tol)
        rotator.fit_transform(f.problem.data["L"])
        return rotator.rotation_, None, "converged", f"its own tolerance, {tol}"

    return rotate


METHODS = {
    "factor_analyzer-varimax": rotation("varimax", 1e-5),
    "factor_analyzer-varimax-tight": rotation("varimax", 1e-12),
    "factor_analyzer-quartimax": rotation("quartimax", 1e-5),
    "factor_analyzer-quartimax-tight": rotation("quartimax", 1e-6),
}

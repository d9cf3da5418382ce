"""The lowest eigenvectors of a symmetric B by SciPy: ARPACK, with and without a factorization, LOBPCG and LAPACK.

`tol` is relative to the wanted eigenvalues: |BX - X Lambda| <= tol |Lambda|, which is what ARPACK asks of each pair. Products with B and with the
inverse of B - sigma are counted column by column."""
from functools import cached_property

import numpy as np
from scipy.linalg import eigh, eigvalsh
from scipy.sparse import csc_matrix, csr_matrix, identity, issparse
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh, lobpcg, splu

from problems import OutOfTime


class Eigenproblem:
    """B dense, or sparse by its compressed rows; `values`: the eigenvalues that are wanted, as far as they are known"""

    bounded = False

    def __init__(self, n, p, values=None, B=None, pointers=None, indices=None, entries=None):
        self.n, self.p = n, p
        self.values = None if values is None else values.ravel()[:p]
        if B is None:
            parts = entries.ravel(), indices.ravel().astype(np.int32), pointers.ravel().astype(np.int32)
            B = csr_matrix(parts, shape=(n, n))
        self.B = B

    @cached_property
    def dense(self):
        return self.B.toarray() if issparse(self.B) else self.B


def counted(f, what, product, X0):
    """A linear map that counts its columns and looks at the clock"""
    f.evaluations.setdefault(what, 0)

    def times(V):
        if f.clock() - f.began > f.limit:
            raise OutOfTime(X0)
        f.evaluations[what] += 1 if V.ndim == 1 else V.shape[1]
        return product(V)

    return LinearOperator((f.n, f.n), matvec=times, matmat=times, dtype=float)


def products(f, X0):
    B = f.problem.B
    return counted(f, "products", lambda V: B @ V, X0)


def lanczos(f, X0, tol, **chosen):
    try:
        _, X = eigsh(products(f, X0), k=f.p, tol=tol, v0=X0[:, 0].copy(), **chosen)
        return X, None, "converged", "its own tolerance"
    except ArpackNoConvergence as error:
        return X0, None, "failed", f"{len(error.eigenvalues)} of {f.p} eigenvalues converged"


def arpack(f, X0, tol):
    return lanczos(f, X0, tol, which="SA")


def arpack_invert(f, X0, tol):
    """sigma a little below the first eigenvalue, from the known eigenvalues"""
    B, values = f.problem.B, f.problem.values
    if not issparse(B):
        return X0, None, "absent", "for sparse matrices alone"
    sigma = values[0] - 0.1 * (values[-1] - values[0])
    solve = splu(csc_matrix(B - sigma * identity(f.n))).solve
    return lanczos(f, X0, tol, sigma=sigma, which="LM", OPinv=counted(f, "solves", solve, X0))


def block(f, X0, tol):
    _, X = lobpcg(products(f, X0), X0, largest=False, tol=tol * np.linalg.norm(f.problem.values) / np.sqrt(f.p), maxiter=20000)
    return X, None, "converged", "its own tolerance"


def lowest(f, X0, tol):
    _, X = eigh(f.problem.dense, subset_by_index=[0, f.p - 1], check_finite=False)
    return X, None, "converged", "LAPACK's dsyevr"


def reference(f, X0, tol):
    """The p lowest eigenvalues themselves, as one column"""
    return eigvalsh(f.problem.dense, subset_by_index=[0, f.p - 1], check_finite=False)[:, None], None, "converged", "LAPACK's dsyevr"


EIGENPROBLEMS = {"structure/eigenvectors": Eigenproblem}
METHODS = {
    "scipy-arpack": arpack,
    "scipy-arpack-invert": arpack_invert,
    "scipy-lobpcg": block,
    "scipy-eigh": lowest,
    "scipy-eigenvalues": reference,
}

"""Eigenvalues of A x = lambda B x and singular values by SciPy: ARPACK with and without a factorization, LOBPCG and LAPACK.

`tol` is the residual to be reached, |Ax - theta Bx|. An answer is the matrix of the eigenvectors, and of singular values that of (u; v)/sqrt 2.
Products and solutions are counted column by column."""
import numpy as np
from scipy.linalg import eigh, svd
from scipy.sparse import csc_matrix, csr_matrix, issparse
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh, lobpcg, splu, svds

from problems import OutOfTime

WHICH = ["smallest", "largest", "nearest"]


class Pencil:
    """`shape`: rows and columns; each matrix dense, or sparse by its compressed rows; `goal`: the place of the word in WHICH, and sigma"""

    bounded = False

    def __init__(self, n, p, shape, goal, values, **parts):
        self.n, self.p = n, p
        self.shape = tuple(int(v) for v in shape.ravel())
        self.which, self.sigma = WHICH[int(goal.ravel()[0])], float(goal.ravel()[1])
        # the wanted values, from which ARPACK's relative tolerance and a shift are made
        self.values = values.ravel()
        self.A = matrix("A", self.shape, parts)
        self.B = matrix("B", self.shape, parts)


def matrix(letter, shape, parts):
    if letter in parts:
        return parts[letter]
    if f"{letter}-entries" not in parts:
        return None
    entries, indices, pointers = (parts[f"{letter}-{what}"].ravel() for what in ("entries", "indices", "pointers"))
    return csr_matrix((entries, indices.astype(np.int32), pointers.astype(np.int32)), shape=shape)


def counted(f, what, shape, product, transposed=None):
    """A linear map that counts its columns and looks at the clock"""
    f.evaluations.setdefault(what, 0)

    def watched(times):
        def apply(V):
            if f.clock() - f.began > f.limit:
                raise OutOfTime(np.zeros((f.n, f.p)))
            f.evaluations[what] += 1 if V.ndim == 1 else V.shape[1]
            return times(V)

        return apply

    maps = {"matvec": watched(product), "matmat": watched(product)}
    if transposed:
        maps |= {"rmatvec": watched(transposed), "rmatmat": watched(transposed)}
    return LinearOperator(shape, dtype=float, **maps)


def product(f):
    A = f.problem.A
    return counted(f, "products", A.shape, lambda V: A @ V, lambda V: A.T @ V)


def iterated(solve, f):
    try:
        return solve(), None, "converged", "its own tolerance"
    except ArpackNoConvergence as error:
        return np.zeros((f.n, f.p)), None, "failed", f"{len(error.eigenvalues)} of {f.p} eigenvalues converged"


def arpack(f, X0, tol):
    problem = f.problem
    if len(set(problem.shape)) > 1:
        relative = tol / problem.values.max()
        return iterated(lambda: stacked(*svds(product(f), k=f.p, tol=relative, v0=X0[-problem.shape[1] :, 0].copy())), f)
    if problem.which == "nearest" or problem.B is not None:
        return X0, None, "absent", "this needs a factorization"
    relative = tol / np.abs(problem.values).max()
    side = "SA" if problem.which == "smallest" else "LA"
    return iterated(lambda: eigsh(product(f), k=f.p, which=side, tol=relative, v0=X0[:, 0].copy())[1], f)


def arpack_invert(f, X0, tol):
    problem = f.problem
    if not issparse(problem.A) or len(set(problem.shape)) > 1 or problem.which == "largest":
        return X0, None, "absent", "for sparse symmetric matrices"
    sigma = problem.sigma
    if problem.which == "smallest":
        sigma = problem.values.min() - 0.1 * (problem.values.max() - problem.values.min())
    B = problem.B if problem.B is not None else csr_matrix((np.ones(f.n), np.arange(f.n), np.arange(f.n + 1)))
    solve = splu(csc_matrix(problem.A - sigma * B)).solve
    inverse = counted(f, "solves", problem.shape, solve)
    return iterated(lambda: eigsh(problem.A, k=f.p, M=problem.B, sigma=sigma, which="LM", OPinv=inverse, v0=X0[:, 0].copy())[1], f)


def block(f, X0, tol):
    problem = f.problem
    if problem.which == "nearest":
        return X0, None, "absent", "for the ends of the spectrum"
    if len(set(problem.shape)) > 1:
        U, s, Vt = svds(product(f), k=f.p, tol=tol * problem.values.max(), solver="lobpcg", maxiter=2000, random_state=1)
        return stacked(U, s, Vt), None, "converged", "its own tolerance"
    X = lobpcg(product(f), X0, B=problem.B, largest=problem.which == "largest", tol=tol, maxiter=20000)[1]
    return X, None, "converged", "its own tolerance"


LARGEST_DENSE = 4000


def lapack(f, X0, tol):
    problem = f.problem
    if min(problem.shape) > LARGEST_DENSE or (issparse(problem.A) and len(set(problem.shape)) > 1):
        return X0, None, "absent", "too large for a dense matrix"
    A, B = (M.toarray() if issparse(M) else M for M in (problem.A, problem.B))
    if len(set(problem.shape)) > 1:
        U, s, Vt = svd(A, full_matrices=False, check_finite=False)
        return stacked(U[:, : f.p], s, Vt[: f.p]), None, "converged", "LAPACK's dgesdd"
    if problem.which == "nearest":
        return X0, None, "absent", "for the ends of the spectrum"
    first = 0 if problem.which == "smallest" else f.n - f.p
    return eigh(A, B, subset_by_index=[first, first + f.p - 1], check_finite=False)[1], None, "converged", "LAPACK"


def stacked(U, s, Vt):
    return np.vstack([U, Vt.T]) / np.sqrt(2)


PENCILS = {"eigs": Pencil}
METHODS = {
    "scipy-eigsh": arpack,
    "scipy-eigsh-invert": arpack_invert,
    "scipy-lobpcg-pencil": block,
    "scipy-dense": lapack,
}

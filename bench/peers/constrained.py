"""Problems on other manifolds. A point is a list of arrays, packed into one column of real numbers for the files.

    project    the nearest point of the manifold, part by part
    spaces     (kind, shape) of each part: "stiefel", "euclidean", "oblique", "unitary", "complex-grassmann", "generalized"
"""
import numpy as np

from problems import polar


class Constrained:
    bounded = True

    def pack(self, X):
        return np.concatenate([np.concatenate([A.real.ravel(), A.imag.ravel()]) if np.iscomplexobj(A) else A.ravel() for A in X])[:, None]

    def unpack(self, x):
        X, at, x = [], 0, x.ravel()

        def take(shape):
            nonlocal at
            size = int(np.prod(shape))
            at += size
            return x[at - size : at].reshape(shape).copy()

        for kind, shape in self.spaces:
            X.append(take(shape) + 1j * take(shape) if kind in ("unitary", "complex-grassmann") else take(shape))
        return X

    def project(self, X):
        return [PROJECT[kind](A) for (kind, _), A in zip(self.spaces, X)]

    def f(self, X):
        return self.fg([np.empty_like(A) for A in X], X)


def complex_polar(X):
    U, _, W = np.linalg.svd(X, full_matrices=False)
    return U @ W


PROJECT = {
    "stiefel": polar,
    "euclidean": lambda X: X,
    "oblique": lambda X: X / np.linalg.norm(X, axis=0),
    "unitary": complex_polar,
    "complex-grassmann": complex_polar,
}


class GeneralizedEigenvalues(Constrained):
    """f = 1/2 tr X'AX, X'BX = I"""

    def __init__(self, n, p, A, B):
        self.n, self.p, self.A, self.B = n, p, A, B
        self.spaces = [("generalized", (n, p))]

    def fg(self, G, X):
        np.matmul(self.A, X[0], out=G[0])
        return 0.5 * np.vdot(X[0], G[0])

    def project(self, X):
        w, V = np.linalg.eigh(X[0].T @ self.B @ X[0])
        return [X[0] @ ((V / np.sqrt(w)) @ V.T)]


class SingularVectors(Constrained):
    """f = -tr(U'AVN), N = diag(p, ..., 1)"""

    def __init__(self, n, p, A):
        self.n, self.p, self.A = n, p, A
        self.N = np.arange(p, 0, -1.0)
        self.spaces = [("stiefel", (A.shape[0], p)), ("stiefel", (A.shape[1], p))]

    def fg(self, G, X):
        U, V = X
        G[0][:] = -(self.A @ V) * self.N
        G[1][:] = -(self.A.T @ U) * self.N
        return np.vdot(U, G[0])


class Tucker(Constrained):
    """f = -1/2 |T x1 U' x2 V' x3 W'|^2; T is n x n^2, its first index is the row"""

    def __init__(self, n, p, T):
        self.n, self.p, self.T = n, p, T
        self.spaces = [("stiefel", (n, p))] * 3

    def fg(self, G, X):
        n, p = self.n, self.p
        U, V, W = X
        TW = (self.T.reshape(n * n, n) @ W).reshape(n, n, p)  # i j c
        TVW = np.matmul(V.T, TW)  # i b c
        core = (U.T @ TVW.reshape(n, p * p)).reshape(p, p, p)
        G[0][:] = -TVW.reshape(n, p * p) @ core.reshape(p, p * p).T
        TUW = (U.T @ TW.reshape(n, n * p)).reshape(p, n, p)  # a j c
        G[1][:] = -np.matmul(TUW, core.transpose(0, 2, 1)).sum(0)
        TU = (U.T @ self.T).reshape(p, n, n)  # a j k
        TUV = np.matmul(V.T, TU)  # a b k
        G[2][:] = -TUV.reshape(p * p, n).T @ core.reshape(p * p, p)
        return -0.5 * np.vdot(core, core)


class HermitianEigenvalues(Constrained):
    """f = 1/2 Re tr X^H A X"""

    def __init__(self, n, p, Ar, Ai):
        self.n, self.p, self.A = n, p, Ar + 1j * Ai
        self.spaces = [("complex-grassmann", (n, p))]

    def fg(self, G, X):
        np.matmul(self.A, X[0], out=G[0])
        return 0.5 * np.vdot(X[0], G[0]).real


class NearestUnitary(Constrained):
    """f = -Re tr X^H M"""

    def __init__(self, n, p, Mr, Mi):
        self.n, self.p, self.M = n, p, Mr + 1j * Mi
        self.spaces = [("unitary", (n, n))]

    def fg(self, G, X):
        np.negative(self.M, out=G[0])
        return np.vdot(X[0], G[0]).real


class MaxCut(Constrained):
    """f = 1/2 tr XWX', columns of length 1"""

    def __init__(self, n, p, W):
        self.n, self.p, self.W = n, p, W
        self.spaces = [("oblique", (n, p))]

    def fg(self, G, X):
        np.matmul(X[0], self.W, out=G[0])
        return 0.5 * np.vdot(X[0], G[0])


class LowRank(Constrained):
    """f = 1/2 |US - M|^2, U with orthonormal columns, any S"""

    def __init__(self, n, p, M):
        self.n, self.p, self.M = n, p, M
        self.spaces = [("stiefel", (n, p)), ("euclidean", (p, M.shape[1]))]

    def fg(self, G, X):
        U, S = X
        R = U @ S - self.M
        np.matmul(R, S.T, out=G[0])
        np.matmul(U.T, R, out=G[1])
        return 0.5 * np.vdot(R, R)


class UnitaryBrockett(HermitianEigenvalues):
    """f = 1/2 Re tr X^H A X N, X unitary, N = diag(n, ..., 1)"""

    def __init__(self, n, p, Ar, Ai):
        super().__init__(n, p, Ar, Ai)
        self.N = np.arange(n, 0, -1.0)
        self.spaces = [("unitary", (n, n))]

    def fg(self, G, X):
        np.multiply(self.A @ X[0], self.N, out=G[0])
        return 0.5 * np.vdot(X[0], G[0]).real


class SpectrumOnSphere(HermitianEigenvalues):
    """f = Re tr U^H A U diag(s), U unitary, |s| = 1"""

    def __init__(self, n, p, Ar, Ai):
        super().__init__(n, p, Ar, Ai)
        m = len(Ar)
        self.spaces = [("unitary", (m, m)), ("oblique", (m, 1))]

    def fg(self, G, X):
        U, s = X
        AU = self.A @ U
        np.multiply(AU, 2 * s.ravel(), out=G[0])
        G[1][:, 0] = np.einsum("ij,ij->j", U.real, AU.real) + np.einsum("ij,ij->j", U.imag, AU.imag)
        return np.vdot(s, G[1])


class ColumnLengths(Constrained):
    """f = -tr U'AX, U with orthonormal columns, X with columns of length 1"""

    def __init__(self, n, p, A):
        self.n, self.p, self.A = n, p, A
        self.spaces = [("stiefel", (n, p)), ("oblique", (A.shape[1], p))]

    def fg(self, G, X):
        G[0][:] = -(self.A @ X[1])
        G[1][:] = -(self.A.T @ X[0])
        return np.vdot(X[0], G[0])


class ThreeFactors(Constrained):
    """f = 1/2 |USV' - M|^2, U and V with orthonormal columns, any S"""

    def __init__(self, n, p, M):
        self.n, self.p, self.M, self.square = n, p, M, np.vdot(M, M)
        self.spaces = [("stiefel", (n, p)), ("euclidean", (p, p)), ("stiefel", (M.shape[1], p))]

    def fg(self, G, X):
        U, S, V = X
        MV, MU, UU, VV = self.M @ V, self.M.T @ U, U.T @ U, V.T @ V
        inner, cross = UU @ S @ VV, U.T @ MV
        G[0][:] = U @ (S @ VV @ S.T) - MV @ S.T
        G[1][:] = inner - cross
        G[2][:] = V @ (S.T @ UU @ S) - MU @ S
        return 0.5 * (np.vdot(S, inner) - 2 * np.vdot(S, cross) + self.square)


CONSTRAINED = {
    "unitary-brockett": UnitaryBrockett,
    "spectrum-on-sphere": SpectrumOnSphere,
    "column-lengths": ColumnLengths,
    "three-factors": ThreeFactors,
    "generalized-eigenvalues": GeneralizedEigenvalues,
    "singular-vectors": SingularVectors,
    "tucker": Tucker,
    "hermitian-eigenvalues": HermitianEigenvalues,
    "nearest-unitary": NearestUnitary,
    "max-cut": MaxCut,
    "low-rank": LowRank,
}

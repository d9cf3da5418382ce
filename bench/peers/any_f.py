"""The families of the suite "any f" in NumPy, with the letters of bench/any-f/*.ts: value and gradient together, into a given G.

Each class gets n, p and the data of its formula by name. `bounded`: f is bounded below on all of R^(n x p)."""
import numpy as np
from scipy.linalg import lapack


class Family:
    bounded = True

    def __init__(self, n, p, **data):
        self.n, self.p = n, p
        for letter, array in data.items():
            setattr(self, letter, array)
        self.prepare()

    def prepare(self):
        pass

    def parts(self, A):
        """The square matrices of a stack."""
        return A.reshape(-1, A.shape[1], A.shape[1])

    def f(self, X):
        return self.fg(np.empty_like(X), X)

    at, gradient = None, None

    def hvp(self, H, X, D):
        """A difference of gradients, since only f and its gradient are given; the gradient at X is cached."""
        if self.at is not X:
            self.at, self.gradient = X, np.empty_like(X)
            self.fg(self.gradient, X)
        t = 1e-7 * max(1.0, np.linalg.norm(X)) / max(np.linalg.norm(D), 1e-300)
        self.fg(H, X + t * D)
        H -= self.gradient
        H /= t


class Eigen(Family):
    bounded = False

    def fg(self, G, X):
        np.matmul(self.A, X, out=G)
        return 0.5 * np.vdot(X, G)


class Brockett(Family):
    bounded = False

    def fg(self, G, X):
        np.matmul(self.B @ X, self.C, out=G)
        return 0.5 * np.vdot(X, G)


class BrockettSum(Family):
    bounded = False

    def fg(self, G, X):
        G[:] = 0
        for B, C in zip(self.parts(self.B), self.parts(self.C)):
            G += B @ X @ C
        return 0.5 * np.vdot(X, G)


class QuadraticLinear(Family):
    bounded = False

    def fg(self, G, X):
        np.matmul(self.A, X, out=G)
        f = 0.5 * np.vdot(X, G) + np.vdot(self.L, X)
        G += self.L
        return f


class OwnQuadratics(Family):
    bounded = False

    def fg(self, G, X):
        G[:] = np.matmul(self.parts(self.A), X.T[:, :, None])[:, :, 0].T
        return 0.5 * np.vdot(X, G)


class LeftFit(Family):
    def fg(self, G, X):
        R = self.A @ X - self.B
        np.matmul(self.A.T, R, out=G)
        return 0.5 * np.vdot(R, R)


class RightFit(Family):
    def fg(self, G, X):
        R = X @ self.A - self.B
        np.matmul(R, self.A.T, out=G)
        return 0.5 * np.vdot(R, R)


class FitOfBoth(Family):
    def fg(self, G, X):
        R = self.A @ X @ self.C - self.B
        np.matmul(self.A.T, R @ self.C.T, out=G)
        return 0.5 * np.vdot(R, R)


def soften(R, delta):
    root = np.sqrt(1 + (R / delta) ** 2)
    return delta * delta * (root - 1).sum(), R / root


class Huber(Family):
    delta = 0.1

    def fg(self, G, X):
        f, R = soften(self.A @ X - self.B, self.delta)
        np.matmul(self.A.T, R, out=G)
        return f


class Absolute(Huber):
    delta = 1e-3


class LowRank(Family):
    def fg(self, G, X):
        YX = self.Z @ X
        R = X @ YX.T - self.Y
        W = self.W * R
        np.matmul(W, YX, out=G)
        G += self.Y @ (W.T @ X)
        return 0.5 * np.vdot(W, R)


class Scores(Family):
    """(1/m) sum of phi(W), W = YX; phi returns the sum and the derivative."""

    def fg(self, G, X):
        m = len(self.Y)
        f, W = self.phi(self.Y @ X)
        np.matmul(self.Y.T, W, out=G)
        G /= m
        return f / m


class Logcosh(Scores):
    def phi(self, W):
        a = np.abs(W)
        return (a + np.log1p(np.exp(-2 * a)) - np.log(2)).sum(), np.tanh(W)


class Bell(Scores):
    def phi(self, W):
        e = np.exp(-W * W / 2)
        return -e.sum(), W * e


class Dictionary(Scores):
    bounded = False

    def phi(self, W):
        W2 = W * W
        return -0.25 * np.vdot(W2, W2), -W2 * W


class DictionaryAbsolute(Scores):
    def phi(self, W):
        return soften(W, 1e-2)


class Tensor(Scores):
    bounded = False

    def phi(self, W):
        W2 = W * W
        return -np.vdot(W2, W) / 3, -W2


class Kurtosis(Family):
    bounded = False

    def fg(self, G, X):
        W = self.Y @ X
        W2 = W * W
        k = (W2 * W2).mean(0) - 3
        np.matmul(self.Y.T, W2 * W * k, out=G)
        G *= -4 / len(W)
        return -0.5 * (k * k).sum()


class Varimax(Family):
    bounded = False

    def fg(self, G, X):
        W = self.Y @ X
        W2 = W * W
        c = W2.mean(0)
        np.matmul(self.Y.T, W * (W2 - c), out=G)
        G /= -len(W)
        return -0.25 * ((W2 * W2).mean(0) - c * c).sum()


class RobustPca(Family):
    def prepare(self):
        self.squares = np.vecdot(self.Y, self.Y)

    def fg(self, G, X):
        W = self.Y @ X
        d = np.sqrt(np.maximum(self.squares - np.vecdot(W, W), 0) + 0.01)
        np.matmul(self.Y.T, W / d[:, None], out=G)
        G /= -len(W)
        return d.mean()


class SparsePca(Family):
    bounded = False

    def fg(self, G, X):
        W = self.Y @ X
        np.matmul(self.Y.T, W, out=G)
        G /= -len(W)
        root = np.hypot(X, 1e-3)
        G += 0.1 * X / root
        return -0.5 * np.vdot(W, W) / len(W) + 0.1 * root.sum()


class TraceRatio(Family):
    def fg(self, G, X):
        np.matmul(self.A, X, out=G)
        BX = self.B @ X
        a, b = np.vdot(X, G), np.vdot(X, BX)
        G *= -2 / b
        G += 2 * a / b**2 * BX
        return -a / b


class LogDeterminant(Family):
    bounded = False

    def fg(self, G, X):
        AX = self.A @ X
        S = X.T @ AX
        S = (S + S.T) / 2
        np.matmul(AX, np.linalg.inv(S), out=G)
        G *= -1
        sign, value = np.linalg.slogdet(S)
        return -0.5 * value if sign > 0 else np.inf


class Diagonals(Family):
    def fg(self, G, X):
        G[:] = 0
        f = 0.0
        for A in self.parts(self.A):
            AX = A @ X
            value, weight = self.weigh(np.einsum("ij,ij->j", X, AX))
            f += value
            G += AX * weight
        return f


class SumOfLogarithms(Diagonals):
    bounded = False

    def weigh(self, q):
        return 0.5 * np.log(q).sum(), 1 / q


class JointDiagonalization(Diagonals):
    bounded = False

    def weigh(self, q):
        return -0.5 * (q * q).sum(), -2 * q


class Exponentials(Diagonals):
    def prepare(self):
        self.c = np.linspace(1, 3, self.p)

    def weigh(self, q):
        e = np.exp(self.c * q)
        return e.sum(), 2 * self.c * e


class Cubic(Family):
    bounded = False

    def fg(self, G, X):
        np.matmul(self.A, X, out=G)
        f = 0.5 * np.vdot(X, G)
        W = self.L @ X
        W2 = W * W
        G += self.L.T @ W2 / 2
        return f + np.vdot(W2, W) / 6


class Density(Family):
    """1/2 <X, LX> + g(r), r_i = sum_j X_ij^2, L = tridiag(-1, 2, -1); potential returns g and 2 g'."""

    def prepare(self):
        self.d, self.e, info = lapack.dpttrf(np.full(self.n, 2.0), np.full(self.n - 1, -1.0))

    def solve(self, r):
        return lapack.dpttrs(self.d, self.e, r, overwrite_b=False)[0]

    def fg(self, G, X):
        rho = np.vecdot(X, X)
        np.multiply(2, X, out=G)
        G[1:] -= X[:-1]
        G[:-1] -= X[1:]
        f = 0.5 * np.vdot(X, G)
        value, v = self.potential(rho)
        G += v[:, None] * X
        return f + value


class Noeig(Density):
    def potential(self, rho):
        z = self.solve(rho)
        return 0.25 * np.dot(rho, z), z


class KohnSham(Density):
    def potential(self, rho):
        z, root, V = 20 / self.n * self.solve(rho), np.cbrt(rho), self.V[:, 0]
        return np.dot(rho, 0.5 * V + 0.25 * z - 0.25 * root), V + z - 2 / 3 * root


class GrossPitaevskii(Density):
    def potential(self, rho):
        V = self.V[:, 0]
        return np.dot(rho, 0.5 * V + 0.5 * rho), V + 2 * rho


class Cut(Family):
    def fg(self, G, X):
        excess, mu = np.vecdot(X, X) - self.p / self.n, self.n / self.p
        np.matmul(self.A, X, out=G)
        f = 0.5 * np.vdot(X, G) + mu / 4 * np.dot(excess, excess)
        G += (mu * excess)[:, None] * X
        return f


FAMILIES = {
    "pca": Eigen,
    "clustered": Eigen,
    "clustered-weighted": Brockett,
    "brockett": Brockett,
    "brockett-ill": Brockett,
    "brockett-sum": BrockettSum,
    "quadratic-linear": QuadraticLinear,
    "own-quadratics": OwnQuadratics,
    "procrustes": LeftFit,
    "procrustes-square": LeftFit,
    "procrustes-right": RightFit,
    "procrustes-both": FitOfBoth,
    "huber": Huber,
    "absolute": Absolute,
    "low-rank": LowRank,
    "ica-logcosh": Logcosh,
    "ica-exp": Bell,
    "ica-kurtosis": Kurtosis,
    "dictionary": Dictionary,
    "dictionary-absolute": DictionaryAbsolute,
    "tensor": Tensor,
    "varimax": Varimax,
    "robust-pca": RobustPca,
    "sparse-pca": SparsePca,
    "trace-ratio": TraceRatio,
    "log-determinant": LogDeterminant,
    "sum-of-logarithms": SumOfLogarithms,
    "joint-diagonalization": JointDiagonalization,
    "exponentials": Exponentials,
    "canonical-cubic": Cubic,
    "noeig": Noeig,
    "kohn-sham": KohnSham,
    "gross-pitaevskii": GrossPitaevskii,
    "cut": Cut,
    "wine-discriminant": TraceRatio,
    "wine-robust-pca": RobustPca,
    "digits-robust-pca": RobustPca,
    "tumour-discriminant": TraceRatio,
}

"""SciPy's optimizers on ExPen."""
import numpy as np
from scipy.linalg import orthogonal_procrustes
from scipy.linalg.blas import dgemm
from scipy.optimize import Bounds, minimize

from problems import polar
import scipy_eigen
import scipy_pencils
from specialists import closed


def expen(f, beta):
    """h(X) = f(X(I - K/2)) + beta/4 |K|^2, K = X'X - I; gradient G(I - K/2) + X(beta K - sym(X'G)); both at once, on flat vectors."""
    n, p = f.n, f.p
    K, T, S, B = (np.empty((p, p)) for _ in range(4))
    Y, G = np.empty((n, p)), np.empty((n, p))

    def fg(x):
        X = x.reshape(n, p)
        np.matmul(X.T, X, out=K)
        K.flat[:: p + 1] -= 1
        np.multiply(K, -0.5, out=T)
        T.flat[:: p + 1] += 1
        np.matmul(X, T, out=Y)
        value = f.fg(G, Y)
        np.matmul(X.T, G, out=S)
        np.add(S, S.T, out=B)
        np.multiply(B, -0.5, out=B)
        np.multiply(K, beta, out=S)
        np.add(B, S, out=B)
        H = np.matmul(G, T)  # fresh: SciPy keeps it
        dgemm(1.0, B.T, X.T, 1.0, H.T, overwrite_c=True)  # H <- H + X B, in place
        return value + beta / 4 * np.vdot(K, K), H.ravel()

    return fg


def paper_beta(f, X0):
    return np.linalg.norm(f.grad(X0)) / 10


def observer(f):
    if f.target is None:
        return None
    return lambda x: f.observe(x.reshape(f.n, f.p))


PRECISION_LOSS = 2


def status_of(result):
    return "converged" if result.status == 0 else "iterations" if result.status == 1 else "failed"


def cg_by_norm(f, fg, x0, tol, jac=True):
    """CG, begun again where its line search gives up near the precision of f, as long as that helps."""
    iterations, gnorm = 0, np.inf
    while True:
        options = {"gtol": tol, "norm": 2, "maxiter": 10000}
        result = minimize(fg, x0, jac=jac, method="CG", callback=observer(f), options=options)
        iterations += result.nit
        before, gnorm = gnorm, np.linalg.norm(result.jac)
        if result.status != PRECISION_LOSS or not gnorm < 0.9 * before:
            return result.x.reshape(f.n, f.p), iterations, status_of(result), result.message
        x0 = result.x


def cg(f, X0, tol, **_):
    X, *rest = cg_by_norm(f, expen(f, paper_beta(f, X0)), X0.ravel(), tol)
    return polar(X), *rest


def lbfgsb_by_norm(f, fg, x0, tol, jac=True):
    """L-BFGS-B stopped at the Frobenius norm of the gradient, which it does not offer: at each iterate, the last point evaluated."""
    last, converged = [None], [False]

    def kept(x):
        value, last[0] = fg(x)
        return value, last[0]

    def kept_gradient(x):
        last[0] = jac(x)
        return last[0]

    def callback(intermediate_result):
        f.observe(intermediate_result.x.reshape(f.n, f.p))
        if np.linalg.norm(last[0]) <= tol:
            converged[0] = True
            raise StopIteration

    result = minimize(
        kept if jac is True else fg,
        x0,
        jac=True if jac is True else kept_gradient,
        method="L-BFGS-B",
        # h is as unbounded as f, and the search would run away; entries of orthonormal columns are no larger than 1
        bounds=None if f.bounded else Bounds(-1, 1),
        callback=callback,
        options={"maxcor": 10, "ftol": 0, "gtol": 0, "maxiter": 10000, "maxfun": 100000},
    )
    status = "converged" if converged[0] else "iterations" if result.status == 1 else "failed"
    text = "gradient norm below the tolerance" if converged[0] else result.message
    return result.x.reshape(f.n, f.p), result.nit, status, text


def lbfgsb(f, X0, tol, **_):
    X, *rest = lbfgsb_by_norm(f, expen(f, paper_beta(f, X0)), X0.ravel(), tol)
    return polar(X), *rest


def procrustes(f, X0, tol):
    A, B = f.problem.data["A"], f.problem.data["B"]
    X, _ = orthogonal_procrustes(A, B)
    np.linalg.norm(A @ X - B)  # the residual too, which ours has
    return closed(X)


METHODS = {"scipy-cg": cg, "scipy-lbfgsb": lbfgsb, "scipy-procrustes": procrustes, **scipy_eigen.METHODS, **scipy_pencils.METHODS}

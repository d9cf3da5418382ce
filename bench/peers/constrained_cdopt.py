"""CDOpt on one part: complex and generalised orthonormal columns, unit columns (rows there). It has no products in NumPy.

Its dissolving function is minimised by SciPy's L-BFGS-B, as in its examples; value and gradient are kept for the last point, as it asks
for them one after the other."""
import cdopt
import numpy as np
from cdopt.manifold_np import complex_stiefel_np, generalized_stiefel_np, oblique_np
from scipy.optimize import minimize


def manifold_of(problem):
    kind, (n, p) = problem.spaces[0]
    if kind == "generalized":
        return generalized_stiefel_np((n, p), B=lambda X: problem.B @ X)
    if kind == "oblique":
        return oblique_np((p, n))
    return complex_stiefel_np((n, p))


def run(f, X0, seed):
    problem = f.problem
    if len(problem.spaces) > 1:
        return X0, None, "failed", "CDOpt has no products in NumPy"
    turned = problem.spaces[0][0] == "oblique"
    turn = (lambda X: np.ascontiguousarray(X.T)) if turned else (lambda X: X)
    kept = {"X": None}

    def at(X):
        if kept["X"] is None or not np.array_equal(kept["X"], X):
            G = [np.empty_like(turn(X))]
            kept["f"] = f.fg(G, [turn(X)])
            kept["X"], kept["G"] = X.copy(), turn(G[0])
        return kept

    np.random.seed(seed)  # its penalty parameter is drawn
    manifold = manifold_of(problem)
    P = cdopt.core.problem(
        manifold,
        lambda X: at(X)["f"],
        obj_grad=lambda X: at(X)["G"],
        obj_hvp=lambda X, D: D,  # never asked for
        beta=np.linalg.norm(at(turn(X0[0]))["G"]) / 10 if np.iscomplexobj(X0[0]) else "auto",  # its choice fails on complex numbers
        Xinit=turn(X0[0]),
    )
    shape, complex_ = manifold.var_shape, np.iscomplexobj(X0[0])

    def there(x):
        return (x[: x.size // 2] + 1j * x[x.size // 2 :] if complex_ else x).reshape(shape)

    def flat(X):
        return np.concatenate([X.real.ravel(), X.imag.ravel()]) if complex_ else X.ravel()

    back = lambda x: [turn(there(x))]
    result = minimize(
        lambda x: float(P.cdf_fun(there(x)).real),
        flat(turn(X0[0])),
        jac=lambda x: flat(P.cdf_grad(there(x))),
        method="L-BFGS-B",
        callback=lambda x: f.observe(back(x)),
        options={"maxcor": 10, "ftol": 0, "gtol": 0, "maxiter": 100000, "maxfun": 1000000},
    )
    return problem.project(back(result.x)), result.nit, "failed", str(result.message)

"""Tools of a field, on its data: f.problem.data has the numbers by letter, X0 is the start where a method takes one.

Each returns (X, iterations, status, text); bench/specialists/task.ts says what X is and evaluates it."""


class Given:
    """Data and nothing else: the tools bring their own objective."""

    bounded = True

    def __init__(self, n, p, **data):
        self.n, self.p, self.data = n, p, data


TASKS = ["pca", "procrustes", "varimax", "quartimax", "svd", "ica", "joint-diagonalization", "sparse-pca"]
GIVEN = {f"specialists/{task}": Given for task in TASKS}


def closed(X):
    return X, None, "converged", "closed form"


def iterated(X, iterations, most):
    met = iterations < most
    return X, int(iterations), "converged" if met else "iterations", "its own tolerance" if met else "its limit of iterations"

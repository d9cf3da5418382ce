"""Runs one job a line: JSON in, JSON out.

    in   {"method", "problem", "n", "p", "files": paths of the .npy of X0 and of the data by letter, "out": path for the final X,
          "tol", "target": value of f to be reached or null, "limit": seconds, "clock": "wall" or "cpu", "repeats"}
    out  {"seconds": [...], "evaluations": {"f", "grad", "hvp"}, "iterations", "status", "text"}

The first line out: {"versions": {...}, "methods": [...], "missing": {package: reason}}.
Threads are set by the environment before the start. The time does not cover reading files; it covers everything else that a user must do to get X.
"""
import contextlib
import importlib
import json
import os
import sys
import threading
import time
import traceback
import warnings

import numpy as np

from any_f import FAMILIES
from constrained import CONSTRAINED
from problems import Brockett, Noeig, OutOfTime, Reached, Watched, projection
from scipy_eigen import EIGENPROBLEMS
from scipy_pencils import PENCILS
from specialists import GIVEN

# package -> the packages under it, for arithmetic or minimising
BESIDE = {"cdopt": ["scipy"], "geoopt": ["torch", "scipy"], "picard": ["scipy"], "sklearn": ["scipy"], "factor_analyzer": ["scipy"]}

# package -> its name in the registry, where the two differ
DISTRIBUTION = {"sklearn": "scikit-learn", "picard": "python-picard"}

PACKAGES = {
    "scipy": "scipy_methods",
    "pymanopt": "pymanopt_methods",
    "cdopt": "cdopt_methods",
    "geoopt": "geoopt_methods",
    "sklearn": "sklearn_methods",
    "picard": "picard_methods",
    "factor_analyzer": "factor_methods",
    "qndiag": "qndiag_methods",
    "pyriemann": "pyriemann_methods",
    "sparsepca": "sparsepca_methods",
    "numpy": "numpy_methods",
}

PROBLEMS = {
    "noeig": Noeig,
    "brockett": Brockett,
    "quadratic": FAMILIES["quadratic-linear"],
    **{f"any-f/{name}": family for name, family in FAMILIES.items()},
    **{f"constraints/{name}": problem for name, problem in CONSTRAINED.items()},
    **GIVEN,
    **EIGENPROBLEMS,
    **PENCILS,
}

CLOCKS = {"wall": time.perf_counter, "cpu": time.process_time}


def load(wanted):
    methods, versions, missing = {}, {"python": sys.version.split()[0], "numpy": np.__version__}, {}
    for package, module in PACKAGES.items():
        if wanted and package not in wanted:
            continue
        try:
            methods.update(importlib.import_module(module).METHODS)
            for name in [package, *BESIDE.get(package, [])]:
                versions[name] = importlib.metadata.version(DISTRIBUTION.get(name, name))
        except Exception as error:  # a broken package counts as missing
            missing[package] = f"{type(error).__name__}: {error}"
    return methods, versions, missing


def instance(job, kept={}):
    """The problem and its start, cached while jobs name the same files."""
    key = job["problem"], *job["files"].values()
    if key not in kept:
        kept.clear()
        data = {letter: np.load(path) for letter, path in job["files"].items()}
        X0 = data.pop("X0")
        problem = PROBLEMS[job["problem"]](job["n"], job["p"], **data)
        kept[key] = problem, problem.unpack(X0) if hasattr(problem, "unpack") else X0
    return kept[key]


def once(method, problem, X0, job):
    watched = Watched(problem, CLOCKS[job.get("clock", "wall")], job["limit"], job.get("target"))
    iterations = None
    try:
        X, iterations, status, text = method(watched, X0.copy(), job["tol"])
        if job.get("target") is not None:
            status, text = "failed", f"ended before the target: {text}"
    except Reached as reached:
        X, status, text = reached.args[0], "converged", "target reached"
    except OutOfTime as late:
        X, status, text = projection(problem)(late.args[0]), "time", f"stopped after {job['limit']} s"
    return watched.seconds(), watched.evaluations, iterations, status, text, X


def answer(methods, job):
    try:
        method = methods[job["method"]]
        problem, X0 = instance(job)
        runs = [once(method, problem, X0, job) for _ in range(job.get("repeats", 1))]
        _, evaluations, iterations, status, text, X = runs[-1]
        np.save(job["out"], np.ascontiguousarray(problem.pack(X) if hasattr(problem, "pack") else X))
        return {"seconds": [run[0] for run in runs], "evaluations": evaluations, "iterations": iterations, "status": status, "text": text}
    except Exception as error:
        traceback.print_exc()
        return {"seconds": [], "status": "failed", "text": f"{type(error).__name__}: {error}"}


def end_with_parent():
    """Ends this process after its parent: a killed benchmark cannot, and a job may take minutes."""
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def main():
    threading.Thread(target=end_with_parent, daemon=True).start()
    warnings.simplefilter("ignore")
    replies = sys.stdout
    with contextlib.redirect_stdout(sys.stderr):  # output of a library must not disturb the protocol
        methods, versions, missing = load(sys.argv[1:])
        print(json.dumps({"versions": versions, "methods": list(methods), "missing": missing}), file=replies, flush=True)
        for line in sys.stdin:
            print(json.dumps(answer(methods, json.loads(line))), file=replies, flush=True)


if __name__ == "__main__":
    main()

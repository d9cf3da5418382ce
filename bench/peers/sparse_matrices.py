"""Symmetric sparse matrices of pyamg's gallery, as Matrix Market files in the folder named.

elasticity 4608: plane strain, bilinear elements. anisotropic 5184: diffusion that is 1000 times stronger along lines of 30 degrees, bilinear elements.
"""
import pathlib
import sys

import numpy as np
from pyamg.gallery import diffusion_stencil_2d, linear_elasticity, stencil_grid
from scipy.io import mmwrite

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)


def save(name, A):
    A = A.tocsr()
    mmwrite(folder / f"{name}.mtx", (A + A.T) / 2, symmetry="symmetric", precision=17)


save("elasticity", linear_elasticity((48, 48))[0])
save("anisotropic", stencil_grid(diffusion_stencil_2d(epsilon=1e-3, theta=np.pi / 6, type="FE"), (72, 72)))

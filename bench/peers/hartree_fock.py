"""Integrals and reference energies of small molecules for restricted closed-shell Hartree-Fock, by PySCF.

    python hartree_fock.py FOLDER [--only H2,LiH] [--basis sto-3g,6-31g] [--stretch 1.5] [--fcidump]

writes FOLDER/<molecule>-<basis>.npz with

    S, h        overlap and core Hamiltonian, N x N
    integrals   (ij|kl), i >= j, k >= l, ij >= kl: pairs ij = i(i+1)/2 + j, one after the other, n = ij(ij+1)/2 + kl;
                what is below 1e-12 is 0
    nuclear     repulsion of the nuclei
    occupied    number of doubly occupied orbitals
    energy      the lowest RHF energy over several guesses, converged to 1e-11, internally stable
    diis        Fock builds of PySCF's DIIS from the core guess with its default tolerances, without its check afterwards
    diisEnergy  where that ends

and with --fcidump also FOLDER/<molecule>-<basis>.fcidump, in the Loewdin basis, where S = I.
"""

import argparse
import os

import numpy as np
from pyscf import ao2mo, gto, scf
from pyscf.tools import fcidump

# angstrom; near the measured geometries
MOLECULES = {
    "H2": "H 0 0 0; H 0 0 0.7414",
    "HeH+": "He 0 0 0; H 0 0 0.7743",
    "LiH": "Li 0 0 0; H 0 0 1.5957",
    "BeH2": "Be 0 0 0; H 0 0 1.3264; H 0 0 -1.3264",
    "BH": "B 0 0 0; H 0 0 1.2324",
    "BH3": "B 0 0 0; H 1.19 0 0; H -0.595 1.0305702305 0; H -0.595 -1.0305702305 0",
    "CH2": "C 0 0 0; H 0.8620 0 0.7010; H -0.8620 0 0.7010",
    "CH4": "C 0 0 0; H 0.6276 0.6276 0.6276; H -0.6276 -0.6276 0.6276; H -0.6276 0.6276 -0.6276; H 0.6276 -0.6276 -0.6276",
    "NH3": "N 0 0 0; H 0.9377 0 -0.3816; H -0.46885 0.81207 -0.3816; H -0.46885 -0.81207 -0.3816",
    "H2O": "O 0 0 0; H 0.7572 0 0.5865; H -0.7572 0 0.5865",
    "HF": "F 0 0 0; H 0 0 0.9168",
    "N2": "N 0 0 0; N 0 0 1.0977",
    "CO": "C 0 0 0; O 0 0 1.1282",
    "HCN": "H 0 0 -1.0655; C 0 0 0; N 0 0 1.1532",
    "HNC": "H 0 0 -0.9940; N 0 0 0; C 0 0 1.1689",
    "C2H2": "C 0 0 0.6013; C 0 0 -0.6013; H 0 0 1.6644; H 0 0 -1.6644",
    "C2H4": "C 0 0 0.6695; C 0 0 -0.6695; H 0.9289 0 1.2321; H -0.9289 0 1.2321; H 0.9289 0 -1.2321; H -0.9289 0 -1.2321",
    "H2CO": "C 0 0 0; O 0 0 1.2050; H 0.9429 0 -0.5876; H -0.9429 0 -0.5876",
    "F2": "F 0 0 0; F 0 0 1.4119",
    "Li2": "Li 0 0 0; Li 0 0 2.6729",
    "LiF": "Li 0 0 0; F 0 0 1.5639",
    "CH3OH": "C -0.0503 0.6685 0; O -0.0503 -0.7585 0; H -1.0807 1.0417 0; H 0.4650 1.0417 0.8924;"
    " H 0.4650 1.0417 -0.8924; H 0.8544 -1.0417 0",
    "H2O2": "O 0 0.7375 -0.0528; O 0 -0.7375 -0.0528; H 0.8190 0.8170 0.4220; H -0.8190 -0.8170 0.4220",
    "N2H4": "N 0 0.7165 -0.1022; N 0 -0.7165 -0.1022; H 0.1924 1.0530 0.8268; H -0.9300 1.0190 -0.3500;"
    " H -0.1924 -1.0530 0.8268; H 0.9300 -1.0190 -0.3500",
    "CO2": "C 0 0 0; O 0 0 1.1621; O 0 0 -1.1621",
    "B2H6": "B 0 0 0.8815; B 0 0 -0.8815; H 0 1.0410 1.4640; H 0 -1.0410 1.4640; H 0 1.0410 -1.4640;"
    " H 0 -1.0410 -1.4640; H 0.9760 0 0; H -0.9760 0 0",
    "SiH4": "Si 0 0 0; H 0.8544 0.8544 0.8544; H -0.8544 -0.8544 0.8544; H -0.8544 0.8544 -0.8544; H 0.8544 -0.8544 -0.8544",
    "H2S": "S 0 0 0; H 0.9617 0 0.9269; H -0.9617 0 0.9269",
    "HCl": "Cl 0 0 0; H 0 0 1.2746",
    "HOF": "O 0 0 0; F 1.4350 0 0; H -0.1290 0.9577 0",
}
CHARGES = {"HeH+": 1}
BASES = ["sto-3g", "6-31g"]
SMALLEST = 1e-12
RANDOM_GUESSES = 6


def lowest(mol, n_occupied):
    """The lowest energy of stable solutions from PySCF's guesses and from seeded random orbitals."""
    S, h = mol.intor("int1e_ovlp"), scf.hf.get_hcore(mol)
    root = scf.addons.canonical_orth_(S)
    guesses = [scf.RHF(mol).get_init_guess(mol, key) for key in ["minao", "atom", "1e", "huckel"]]
    rng = np.random.default_rng(1)
    for k in range(RANDOM_GUESSES):
        noise = rng.standard_normal((root.shape[1],) * 2)
        _, V = np.linalg.eigh(root.T @ h @ root + (k + 1) * (noise + noise.T) / 4)
        C = root @ V[:, :n_occupied]
        guesses.append(2 * C @ C.T)
    best = None
    for D in guesses:
        mf = scf.RHF(mol).newton()
        mf.conv_tol, mf.conv_tol_grad, mf.max_cycle = 1e-11, 1e-6, 200
        mf.kernel(dm0=D)
        for _ in range(10):
            C, _, stable, _ = mf.stability(internal=True, external=False, return_status=True)
            if stable:
                break
            mf.kernel(C, mf.mo_occ)
        if mf.converged and stable and (best is None or mf.e_tot < best):
            best = mf.e_tot
    return best


def diis(mol):
    """Fock builds of plain RHF from the core guess and the energy at their end."""
    mf = scf.RHF(mol)
    mf.init_guess, mf.conv_check, mf.max_cycle = "1e", False, 500
    builds = 0
    get_veff = mf.get_veff

    def counted(*arguments, **named):
        nonlocal builds
        builds += 1
        return get_veff(*arguments, **named)

    mf.get_veff = counted
    energy = mf.kernel()
    return builds, energy, mf.converged


def loewdin(S, h, mol):
    w, V = np.linalg.eigh(S)
    X = V @ np.diag(w**-0.5) @ V.T
    return X.T @ h @ X, ao2mo.kernel(mol, X)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("folder")
    arguments.add_argument("--only", default=",".join(MOLECULES))
    arguments.add_argument("--basis", default=",".join(BASES))
    arguments.add_argument("--stretch", type=float, default=1, help="all distances times this: harder from 1.5 on")
    arguments.add_argument("--fcidump", action="store_true")
    a = arguments.parse_args()
    os.makedirs(a.folder, exist_ok=True)
    for name in a.only.split(","):
        for basis in a.basis.split(","):
            mol = gto.M(atom=MOLECULES[name], basis=basis, charge=CHARGES.get(name, 0), verbose=0)
            mol.set_geom_(mol.atom_coords() * a.stretch, unit="Bohr")
            occupied = mol.nelectron // 2
            S, h = mol.intor("int1e_ovlp"), scf.hf.get_hcore(mol)
            integrals = mol.intor("int2e", aosym="s8")
            integrals[np.abs(integrals) < SMALLEST] = 0
            builds, energy, converged = diis(mol)
            best = lowest(mol, occupied)
            path = os.path.join(a.folder, f"{name}-{basis}")
            np.savez_compressed(
                path + ".npz",
                S=S,
                h=h,
                integrals=integrals,
                nuclear=mol.energy_nuc(),
                occupied=occupied,
                energy=best,
                diis=builds,
                diisEnergy=energy,
            )
            if a.fcidump:
                h1, eri = loewdin(S, h, mol)
                fcidump.from_integrals(path + ".fcidump", h1, eri, len(h1), mol.nelectron, mol.energy_nuc(), tol=SMALLEST)
            excess = "" if converged else ", DIIS not converged"
            print(f"{name:6} {basis:7} N {len(S):3}  occupied {occupied:2}  E {best:.10f}  DIIS {builds} builds, {energy - best:+.1e}{excess}", flush=True)


if __name__ == "__main__":
    main()

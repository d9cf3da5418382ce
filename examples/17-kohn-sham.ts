// A one-dimensional model of the Kohn–Sham energy, minimised directly without a self-consistent iteration; the paper's first experiment.
import { minimize, openEngine, stiefel } from "expen";
import { noeig } from "expen/problems";

// f(X) = ½ tr XᵀLX + ¼ ρᵀL⁻¹ρ with the density ρ_i = Σ_j X_ij², so that ∇f(X) = H(ρ)X with H(ρ) = L + Diag(L⁻¹ρ)
const [n, p, E] = [500, 10, await openEngine("auto")];
const { objective } = noeig(E, { n, p });
const { X, fval, iterations, certificate } = await minimize(objective, { on: stiefel(n, p), engine: E });
console.log(`energy ${fval.toFixed(5)} (the paper: 35.70857), ${iterations} iterations`);

// a minimum spans eigenvectors of its own Hamiltonian: the eigenvectors V of XᵀHX give the orbitals XV
const [x, orbitals, HX] = [E.tall(n, p, X.data), E.tall(n, p), E.tall(n, p)];
const [S, V, energies] = [E.small(p, p), E.small(p, p), new Float64Array(p)];
objective.fg(HX, x);
E.tmul(S, x, HX);
E.symmetrize(S);
E.factor.eigh(V, energies, S);
E.mul(orbitals, x, V);
console.log(`orbital energies ${Array.from(energies, (e) => e.toFixed(4)).join(" ")}`);

// H(ρ)·(orbitals) − (orbitals)·Diag(energies)
const diagonal = Float64Array.from({ length: p * p }, (_, k) => (k % (p + 1) === 0 ? energies[k % p]! : 0));
objective.fg(HX, orbitals);
E.mul(HX, orbitals, E.small(p, p, diagonal), -1, 1);
const density = E.tall(n, 1);
E.rowDots(density, orbitals, orbitals);
const electrons = E.read(density).reduce((sum, rho) => sum + rho, 0);
console.log(`‖HX − XΛ‖ = ${Math.sqrt(E.dot(HX, HX)).toExponential(1)}, electrons ${electrons.toFixed(6)}`);
console.log(certificate.text);
E.dispose();

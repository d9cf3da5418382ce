// A Kohn–Sham-like energy in one dimension, minimised directly; the paper's first experiment.
import * as apps from "expen/apps";

const { energy, orbitalEnergies, density, residual, run } = await apps.kohnSham({ n: 500, p: 10 });
console.log(`energy ${energy.toFixed(5)} (the paper: 35.70857), ${run.iterations} iterations`);
console.log(`orbital energies ${orbitalEnergies.map((e) => e.toFixed(4)).join(" ")}`);
console.log(`‖H(ρ)X − X·Λ‖ = ${residual.toExponential(1)}, electrons ${density.reduce((s, x) => s + x, 0).toFixed(6)}`);
console.log(run.certificate.text);

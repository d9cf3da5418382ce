// Unitary matrices: the one nearest to a noisy gate, and the circuit of that gate, whose parts are unitary too.

import { random } from "expen";
import * as apps from "expen/apps";

// the swap of two qubits, measured with noise
const r = random(1, "example");
const swap = [1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1];
const noisy = (numbers: number[]) => ({
  rows: 4,
  cols: 4,
  data: Float64Array.from(numbers, (v) => v + 0.02 * r.normal()),
});
const { unitary, distance } = await apps.nearestUnitary({ re: noisy(swap), im: noisy(swap.map(() => 0)) });
console.log(`distance to the nearest unitary matrix ${distance.toFixed(3)}`);

for (const cnots of [1, 3]) {
  const { fidelity, gates } = await apps.gateSynthesis(unitary, { cnots, starts: 2 });
  console.log(`CNOTs ${cnots}, gates on one qubit ${2 * gates.length}: fidelity ${fidelity.toFixed(4)}`);
}

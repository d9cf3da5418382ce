// Unitary matrices: the nearest one to a noisy two-qubit gate, and its best approximation by one-qubit gates, A⊗B.
import { complexStiefel, minimize, nearestPoint, product, random } from "expen";
import { jsEngine } from "expen/engines";

const [r, E] = [random(1, "example"), jsEngine()];
const noisy = (d: number[]) => ({ rows: 4, cols: 4, data: Float64Array.from(d, (v) => v + 0.02 * r.normal()) });
const gates = {
  "the swap of two qubits": [1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1],
  "a turn of both": [64, 48, 48, 36, -48, 64, -36, 48, -48, -36, 64, 48, 36, -48, -48, 64].map((v) => v / 100),
};
const on = product({ A: complexStiefel(2, 2), B: complexStiefel(2, 2) });
type Complex = [number, number];
const times = ([a, b]: Complex, [c, d]: Complex): Complex => [a * c - b * d, a * d + b * c];
const add = (z: Complex, [a, b]: Complex) => z.splice(0, 2, z[0] + a, z[1] + b);
const zeros = (): Complex[] => Array.from({ length: 4 }, () => [0, 0]);

for (const [name, measured] of Object.entries(gates)) {
  const G = nearestPoint(complexStiefel(4, 4), { re: noisy(measured), im: noisy(measured.map(() => 0)) });
  /** f = 1 − |t|²/16 with t = tr Gᴴ(A⊗B) = Σ conj(G_(ia)(jb))·A_ij·B_ab, which is Σ S_ij·A_ij and Σ T_ab·B_ab */
  const { fval, certificate } = await minimize({ fg: (gradient, { A, B }) => {
    const [a, b] = [A, B].map(({ re, im }) => Array.from(E.read(re), (v, k): Complex => [v, E.read(im)[k]!]));
    const [S, T, t] = [zeros(), zeros(), [0, 0] as Complex];
    for (let k = 0; k < 16; k++) {
      const [ij, ab, g] = [2 * (k >> 3) + ((k >> 1) & 1), 2 * ((k >> 2) & 1) + (k & 1), [G.re.data[k]!, -G.im.data[k]!] as Complex];
      add(S[ij]!, times(g, b![ab]!));
      add(T[ab]!, times(g, a![ij]!));
    }
    for (const [ij, s] of S.entries()) add(t, times(s, a![ij]!));
    for (const [{ re, im }, L] of [[gradient.A, S], [gradient.B, T]] as const) {
      E.write(re, L.map((s) => -(t[0] * s[0] + t[1] * s[1]) / 8));
      E.write(im, L.map((s) => (t[0] * s[1] - t[1] * s[0]) / 8));
    }
    return 1 - (t[0] ** 2 + t[1] ** 2) / 16;
  } }, { on, engine: E }); // biome-ignore format: a function
  console.log(`${name}: fidelity of A⊗B ${(1 - fval).toFixed(3)}, ${certificate.level}`);
}

/** Does the gradient belong to f? Answered by nine evaluations at one point. */
import { digits } from "../numbers.js";
import { random } from "../random.js";
import type { Engine, Matrix, Objective } from "../types.js";
import { firstGradient, withFirstValue } from "./contract.js";
import { COARSEST, derivativeAlong } from "./derivative-along.js";
import { meanSquare, weights } from "./directions.js";
import { keptData } from "./kept-data.js";
import { type Suspect, worstEntryByHalves } from "./worst-entry.js";

export interface QuickCheck {
  passed: boolean;
  /** ⟨G, D⟩ along a random direction */
  given: number;
  /** the same by differences of f */
  difference: number;
  text: string;
  /** an entry that is wrong, where it was one that gave the mistake away */
  suspect?: Suspect;
}

/** ‖G − ∇f‖/‖G‖ from which it is a mistake and not an inexact gradient: differences, single precision */
const RELATIVE = 1e-3;
/** The same for one entry, of itself and of the root mean square of all */
const OF_ENTRY = 1e-4;
const OF_ALL = 1e-5;
/** A change of this share of f is more than rounding, however f is summed. */
const FLAT = 1e-3;
/** Rounding of ⟨G, D⟩ relative to ‖G‖‖D‖ */
const ROUNDING = 16 * 2 ** -52;

/**
 * ⟨G, D⟩ for G = ∇f(X) as given, along a direction D that sees every entry, against differences of f and the error that these tell of
 * themselves (`derivativeAlong`): one gradient and eight values. Where they agree, or the error is large, the check has passed.
 * Where not, two more directions and that of G itself must confirm it, and then the mistake must be of some size: 10⁻³ of G as a whole,
 * or in the entry that halving leads to 10⁻⁴ of its value and 10⁻⁵ of the root mean square of all. A false alarm is worse than a
 * mistake that `checkDerivatives` finds later. Throws a `ContractError` where the functions do not do what they should.
 */
export function quickCheck(E: Engine, f: Objective, X: Matrix, { seed = 1 }: { seed?: number } = {}): QuickCheck {
  const { n, p } = f;
  const [D, Y, G] = [E.matrix(n, p), E.matrix(n, p), E.matrix(n, p)];
  const value = firstGradient(E, f, G, X);
  const size = Math.sqrt(E.dot(G, G));
  if (!Number.isFinite(value + size)) return notFinite(E, value, G);
  const r = random(seed, "quick check");
  let noise = 0;
  const watched = withFirstValue(f);

  const first = along(weights(n, p, r, G.data));
  const { given, difference } = first;
  const ended = (passed: boolean, suspect?: Suspect): QuickCheck => ({
    passed,
    given,
    difference,
    text: passed
      ? "the gradient agrees with differences of f"
      : `along a random direction the gradient gives ${digits(given, 6)} but differences of f give ${digits(difference, 6)}`,
    ...(suspect && { suspect }),
  });
  if (!first.differs) return ended(true);
  // for its jitter: f changes most along G
  if (size > 0) along(G.data.map((g) => (g * Math.sqrt(p)) / size));
  const others = [along(weights(n, p, r)), along(weights(n, p, r))];
  if (!others.every(({ differs }) => differs)) return ended(true);
  // an f that never changes may hide steps of its rounding that are larger than what G tells of
  const visible = value !== 0 && Math.abs(given) * COARSEST > FLAT * Math.abs(value);
  if (!visible && [first, ...others].every(({ flat }) => flat)) return ended(true);
  // E⟨G − ∇f, D⟩² = ‖G − ∇f‖²·E d² for independent signs
  const squares = others.map((other) => (other.given - other.difference) ** 2);
  const wrong = Math.sqrt((squares[0]! + squares[1]!) / 2 / meanSquare(n));
  if (wrong > RELATIVE * size) return ended(false);
  const { error, ...suspect } = worstEntryByHalves(E, f, X, G, seed, noise);
  const off = Math.abs(suspect.given - suspect.expected);
  const large = Math.max(OF_ENTRY * Math.abs(suspect.expected), (OF_ALL * size) / Math.sqrt(n * p));
  return off > error + large ? ended(false, suspect) : ended(true);

  function along(d: Float64Array): { given: number; difference: number; differs: boolean; flat: boolean } {
    D.data.set(d);
    const given = E.dot(G, D);
    const found = derivativeAlong(E, watched, X, D, Y, noise);
    noise = found.noise;
    const rounding = ROUNDING * size * Math.sqrt(E.dot(D, D));
    const differs = Math.abs(given - found.value) > found.error + rounding;
    return { given, difference: found.value, differs, flat: found.flat };
  }
}

function notFinite(E: Engine, value: number, G: Matrix): QuickCheck {
  const odd = G.data.findIndex((g) => !Number.isFinite(g));
  const text = Number.isFinite(value)
    ? `the gradient's entry (${Math.floor(odd / G.cols)}, ${odd % G.cols}) is ${G.data[odd]} at the start`
    : `f is ${value} at the start`;
  const what = "it must be finite there, and around every matrix with orthonormal columns";
  return { passed: false, given: Number.NaN, difference: Number.NaN, text: `${text}; ${what}${keptData(E)}` };
}

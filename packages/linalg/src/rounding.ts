/** Rounding errors of IEEE double precision (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., ch. 2 and 3) */

/** ε = 2⁻⁵², the distance from 1 to the next larger number */
export const EPS: number = 2 ** -52;
/** u = ε/2, the largest relative error of one operation */
export const UNIT_ROUNDOFF: number = EPS / 2;

/** γ_k = ku/(1 − ku): a bound of the relative error of k successive operations */
export const gamma = (k: number): number => (k * UNIT_ROUNDOFF) / (1 - k * UNIT_ROUNDOFF);

/** √n·ε: the error to expect of a sum of n terms, relative to the sum of their sizes, if the signs of its rounding errors are random */
export const sumError = (n: number): number => Math.sqrt(n) * EPS;

import type { Stop, UserStop } from "../contracts/method.js";

/** The rule of a user, who may return a sentence, or true, in the place of a reason */
export const ofUser =
  (ends: UserStop): Stop =>
  (s) => {
    const end = ends(s);
    if (typeof end === "object") return end;
    if (!end) return undefined;
    return { kind: "aborted", converged: false, text: end === true ? "the rule `stop` ended the run" : end };
  };

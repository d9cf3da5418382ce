// The worker of the example in workers.ts: the rotation that takes P next to Q
import { specialOrthogonal } from "expen";
import { formula, mul, norm2, sub } from "expen/tape";
import { serveItems } from "expen/workers";

serveItems(
  formula((R, { P, Q }) => norm2(sub(mul(R, P), Q))),
  { on: specialOrthogonal(2) },
);

/** The modules of many runs are imported once, and anew for another f or another kind of f. */
import { jsEngine } from "@expen/linalg/engine";
import { expect, test } from "vitest";
import type { Objective } from "../../src/contracts/objective.js";
import { stiefel } from "../../src/manifolds/stiefel.js";
import { automatic, loadExpenStrategies } from "../../src/run/automatic.js";
import { importForEach } from "../../src/run/import-for-each.js";
import type { Parts } from "../../src/run/parts.js";

test("modules are loaded again where f is another, or where it has a quadratic form and had none", async () => {
  const loads: string[] = [];
  const parts = {
    solvers: { auto: automatic(loadExpenStrategies) },
    loadProvers: async (f: Objective) => {
      loads.push(f.quadratic ? "form" : "none");
      return [];
    },
  } as unknown as Parts;
  const form = {} as NonNullable<Objective["quadratic"]>;
  const f = { n: 4, p: 2, quadratic: undefined as typeof form | undefined };
  const importsOf = importForEach(parts, {}, stiefel(4, 2).bind(jsEngine()).on);
  const of = (quadratic: typeof form | undefined): ReturnType<typeof importsOf> =>
    importsOf(Object.assign(f, { quadratic }) as unknown as Objective);
  const first = await of(undefined);
  expect(await of(undefined)).toBe(first);
  const second = await of(form);
  expect(second).not.toBe(first);
  expect(await of({ ...form })).toBe(second);
  await of(undefined);
  await importsOf({ ...f } as unknown as Objective);
  expect(loads).toEqual(["none", "form", "none", "none"]);
});

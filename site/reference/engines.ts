/** Examples of the reference for `expen/engines`; site/build/examples.ts says how they are written. */
import { MemoryError, sparseFromTriplets } from "expen";
import {
  availableEngines,
  chain,
  engineNames,
  jsEngine,
  polar,
  requireMemory,
  rowsOf,
  sparseApply,
  sumOf,
  sumOverRanks,
  wasmEngine,
} from "expen/engines";

// jsEngine, rowsOf, sumOf
{
  const E = jsEngine();
  const [X, Y] = [E.tall(3, 1, [1, 2, 3]), E.tall(3, 1)];
  E.copy(Y, X);
  console.log(E.dot(X, Y), rowsOf(E, X).data.join(" "), sumOf(E, 5)); // 14 1 2 3 5
}

// wasmEngine
{
  const E = await wasmEngine();
  const X = E.tall(3, 1, [1, 2, 3]);
  console.log(E.name, E.dot(X, X)); // wasm 14
  E.dispose();
}

// engineNames, availableEngines
{
  const engines = await availableEngines();
  console.log(
    engineNames.includes("js"),
    engines.some(({ name }) => name === "js"),
  ); // true true
}

// sparseApply
{
  const A = sparseFromTriplets(2, 2, [0, 1], [1, 0], [2, 3]);
  const y = { rows: 2, cols: 1, data: new Float64Array(2) };
  sparseApply(y, A, { rows: 2, cols: 1, data: Float64Array.from([1, 10]) });
  console.log(y.data.join(" ")); // 20 3
}

// requireMemory
{
  try {
    requireMemory(1e9, 1000, [{ count: 1, rows: 1e9, cols: 1000 }]);
  } catch (error) {
    console.log(error instanceof MemoryError); // true
  }
}

// polar
{
  const E = jsEngine();
  console.log(typeof polar(E, 4, 2)); // function
}

// chain
{
  // x·y entry by entry, and the sum of its squares, in one pass
  const products = chain(2, ({ mul }, x, y) => ({ outputs: [mul(x, y)], sum: mul(mul(x, y), mul(x, y)) }));
  const E = jsEngine();
  const [X, Y, Z] = [E.tall(2, 1, [1, 2]), E.tall(2, 1, [3, 4]), E.tall(2, 1)];
  console.log(E.map([Z], products, [X, Y]), Z.data.join(" ")); // 73 3 8
}

// sumOverRanks
{
  // f of the rows of this process; on an engine of one process, f itself
  const E = jsEngine();
  const f = sumOverRanks(E, { f: (X) => rowsOf(E, X).data.reduce((sum, x) => sum + x * x, 0) });
  console.log(f.f!(E.tall(2, 1, [3, 4]))); // 25
}

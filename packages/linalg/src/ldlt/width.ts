import type { Sparse } from "../contracts/matrix.js";

/**
 * An estimate of the size of a vertex separator of the graph of A: the level of a breadth-first search from a peripheral vertex that is
 * smallest relative to the product of the two sides, as nested dissection chooses it. Two passes over the pattern, which must be
 * symmetric; it covers one component. 0 if no level lies between two others.
 */
export function separatorWidth({ rows: size, pointers, indices }: Sparse): number {
  const queue = new Int32Array(size);
  const mark = new Int32Array(size);
  /** where levels begin */
  let begin: number[] = [];
  let start = 0;
  for (let sweep = 1; sweep <= 2; sweep++) {
    begin = [];
    queue[0] = start;
    mark[start] = sweep;
    let count = 1;
    for (let done = 0; done < count; ) {
      begin.push(done);
      for (const end = count; done < end; done++) {
        const v = queue[done]!;
        for (let k = pointers[v]!; k < pointers[v + 1]!; k++) {
          const w = indices[k]!;
          if (mark[w] === sweep) continue;
          mark[w] = sweep;
          queue[count++] = w;
        }
      }
    }
    begin.push(count);
    start = queue[count - 1]!;
  }
  const total = begin.at(-1)!;
  let [best, width] = [Number.POSITIVE_INFINITY, 0];
  for (let l = 1; l < begin.length - 2; l++) {
    const size = begin[l + 1]! - begin[l]!;
    const cost = size / (begin[l]! * (total - begin[l + 1]!));
    if (cost < best) [best, width] = [cost, size];
  }
  return width;
}

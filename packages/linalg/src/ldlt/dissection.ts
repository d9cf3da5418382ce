/**
 * Nested dissection (George 1973; George and Liu, Computer Solution of Large Sparse Positive Definite Systems, 1981):
 * a separator is numbered after the two parts that it separates, and these are ordered recursively. Separators are levels of
 * a breadth-first search from a peripheral vertex. Vertices of degree at most one are eliminated first, repeatedly: they cause no fill-in,
 * and a tree is eliminated completely. A pure function of the pattern: the same order for the same graph.
 */

/** Neighbours of vertex i: neighbours[pointers[i]] … neighbours[pointers[i + 1] − 1], without i itself; symmetric */
export interface Graph {
  readonly size: number;
  readonly pointers: Int32Array;
  readonly neighbours: Int32Array;
}

/** Vertices of a piece that is not dissected further */
const LEAF = 8;
/** Breadth-first searches for a peripheral vertex */
const SWEEPS = 4;

/**
 * The vertices in the order of their elimination; undefined if the searches pass more than `most` times the number of edges. Grids need
 * fewer than 30; graphs without small separators many more, since each search cuts off few vertices.
 */
export function nestedDissection(graph: Graph, most: number = Number.POSITIVE_INFINITY): Int32Array | undefined {
  const { size, pointers, neighbours } = graph;
  const { order, count: hanging } = hangingFirst(graph);
  /** the piece of each vertex, by the position of its first vertex; −1 for separators */
  const piece = new Int32Array(size).fill(-1);
  relabel(hanging, size);
  let edges = most * neighbours.length;
  const level = new Int32Array(size).fill(-1);
  const queue = new Int32Array(size);
  /** vertices reached by the last search */
  let count = 0;
  const side = new Int8Array(size);
  const spare = new Int32Array(size);
  /** the beginning of each level in the queue */
  const begin = new Int32Array(size + 1);

  const ranges: [number, number][] = [[hanging, size]];
  for (let range = ranges.pop(); range; range = ranges.pop()) {
    const [low, high] = range;
    if (high - low > LEAF) cut(low, high);
    if (edges < 0) return undefined;
  }
  return order;

  /** Orders a piece of the graph, order[low … high): its parts, and then the separator */
  function cut(low: number, high: number): void {
    let depth = search(order[low]!, low);
    if (count < high - low) {
      apart(low, high);
      return;
    }
    for (let sweep = 1; sweep < SWEEPS; sweep++) {
      const before = depth;
      depth = search(lowestDegree(begin[depth - 1]!, begin[depth]!), low);
      if (depth <= before) break;
    }
    const at = bestLevel(depth, high - low);
    if (at < 0) return;
    // only vertices of the level with a neighbour in the next one separate
    for (let k = 0; k < high - low; k++) {
      const v = queue[k]!;
      side[v] = level[v]! < at ? 0 : level[v]! > at ? 1 : touches(v, at + 1, low) ? 2 : 0;
    }
    const counts = split(low, high);
    const [first, second] = [low + counts[0]!, low + counts[0]! + counts[1]!];
    relabel(low, first);
    relabel(first, second);
    for (let k = second; k < high; k++) piece[order[k]!] = -1;
    ranges.push([low, first], [first, second]);
  }

  /** Splits a disconnected piece into its components. */
  function apart(low: number, high: number): void {
    const ends = [count];
    for (let k = low; k < high; k++) {
      if (level[order[k]!]! >= 0) continue;
      spread(order[k]!, low);
      ends.push(count);
    }
    order.set(queue.subarray(0, count), low);
    let from = low;
    for (const end of ends) {
      relabel(from, low + end);
      ranges.push([from, low + end]);
      from = low + end;
    }
  }

  /** Levels from `start` within the piece, in place of those of the last search; returns their number */
  function search(start: number, label: number): number {
    for (let k = 0; k < count; k++) level[queue[k]!] = -1;
    count = 0;
    return spread(start, label);
  }

  function spread(start: number, label: number): number {
    let [done, depth] = [count, 0];
    queue[count++] = start;
    level[start] = 0;
    while (done < count) {
      begin[depth++] = done;
      for (const end = count; done < end; done++) {
        const v = queue[done]!;
        edges -= pointers[v + 1]! - pointers[v]!;
        for (let k = pointers[v]!; k < pointers[v + 1]!; k++) {
          const w = neighbours[k]!;
          if (piece[w] !== label || level[w]! >= 0) continue;
          level[w] = depth;
          queue[count++] = w;
        }
      }
    }
    begin[depth] = count;
    return depth;
  }

  /** The level that is smallest relative to the product of the two sides; −1 if no level lies between two others */
  function bestLevel(depth: number, total: number): number {
    let [best, at] = [Number.POSITIVE_INFINITY, -1];
    for (let l = 1; l < depth - 1; l++) {
      const cost = (begin[l + 1]! - begin[l]!) / (begin[l]! * (total - begin[l + 1]!));
      if (cost < best) [best, at] = [cost, l];
    }
    return at;
  }

  function lowestDegree(from: number, to: number): number {
    let best = queue[from]!;
    const degree = (v: number): number => pointers[v + 1]! - pointers[v]!;
    for (let k = from + 1; k < to; k++) if (degree(queue[k]!) < degree(best)) best = queue[k]!;
    return best;
  }

  function touches(v: number, l: number, label: number): boolean {
    for (let k = pointers[v]!; k < pointers[v + 1]!; k++) {
      if (piece[neighbours[k]!] === label && level[neighbours[k]!] === l) return true;
    }
    return false;
  }

  /** order[low … high) ← sides 0, 1, 2; a stable partition */
  function split(low: number, high: number): number[] {
    const counts = [0, 0, 0];
    for (let k = low; k < high; k++) counts[side[order[k]!]!]!++;
    const next = [low, low + counts[0]!, low + counts[0]! + counts[1]!];
    for (let k = low; k < high; k++) spare[next[side[order[k]!]!]!++] = order[k]!;
    order.set(spare.subarray(low, high), low);
    return counts;
  }

  function relabel(low: number, high: number): void {
    for (let k = low; k < high; k++) piece[order[k]!] = low;
  }
}

/** All vertices; each of the first `count` has at most one neighbour among the vertices after it. */
function hangingFirst({ size, pointers, neighbours }: Graph): { order: Int32Array; count: number } {
  const order = new Int32Array(size);
  const degree = Int32Array.from({ length: size }, (_, v) => pointers[v + 1]! - pointers[v]!);
  let count = 0;
  const take = (v: number): void => {
    order[count++] = v;
    degree[v] = 0;
  };
  for (let v = 0; v < size; v++) if (degree[v]! <= 1) take(v);
  for (let done = 0; done < count; done++) {
    const v = order[done]!;
    for (let k = pointers[v]!; k < pointers[v + 1]!; k++) {
      const w = neighbours[k]!;
      if (degree[w]! > 1 && --degree[w]! === 1) take(w);
    }
  }
  let end = count;
  for (let v = 0; v < size; v++) if (degree[v]! > 1) order[end++] = v;
  return { order, count };
}

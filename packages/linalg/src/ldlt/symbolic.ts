/**
 * Symbolic factorization of a sparse symmetric matrix: the pattern of P·A·Pᵀ = L·D·Lᵀ in
 * supernodes, runs of columns of L with the same rows below them (Liu, The role of elimination trees in sparse
 * factorization, SIAM J. Matrix Anal. Appl. 11, 1990).
 */
import type { Sparse } from "../contracts/matrix.js";
import { type Graph, nestedDissection } from "./dissection.js";

export interface Symbolic {
  readonly size: number;
  /** order[k]: the row of A that is eliminated in step k; `place` is the inverse permutation */
  readonly order: Int32Array;
  readonly place: Int32Array;
  /** supernode s has the columns first[s] … first[s + 1] − 1 */
  readonly first: Int32Array;
  /** the rows below them, ascending */
  readonly rows: readonly Int32Array[];
  /** the supernode that contains the first row below, −1 for none; children precede their parents */
  readonly parent: Int32Array;
  /** stored entries of the panels */
  readonly entries: number;
  /** of the numeric factorization */
  readonly flops: number;
}

/** Columns up to which a supernode is amalgamated with its parent almost regardless of the explicit zeros */
const NARROW = 4;
/** Share of explicit zeros up to which wider supernodes are amalgamated */
const ZEROS = 0.15;

/** The pattern of A and Aᵀ, without the diagonal */
export function graphOf({ rows: size, pointers, indices }: Sparse): Graph {
  const degree = new Int32Array(size + 1);
  const each = (use: (i: number, j: number) => void): void => {
    for (let i = 0; i < size; i++)
      for (let k = pointers[i]!; k < pointers[i + 1]!; k++) if (indices[k] !== i) use(i, indices[k]!);
  };
  // A is symmetric except for entries stored on one side only: both sides are counted, duplicates removed afterwards
  each((i, j) => {
    degree[i + 1]!++;
    degree[j + 1]!++;
  });
  for (let i = 0; i < size; i++) degree[i + 1]! += degree[i]!;
  const next = degree.slice(0, size);
  const all = new Int32Array(degree[size]!);
  each((i, j) => {
    all[next[i]!++] = j;
    all[next[j]!++] = i;
  });
  const lastFront = new Int32Array(size).fill(-1);
  const begin = new Int32Array(size + 1);
  let count = 0;
  for (let i = 0; i < size; i++) {
    for (let k = degree[i]!; k < degree[i + 1]!; k++) {
      if (lastFront[all[k]!] === i) continue;
      lastFront[all[k]!] = i;
      all[count++] = all[k]!;
    }
    begin[i + 1] = count;
  }
  return { size, pointers: begin, neighbours: all.slice(0, count) };
}

/** undefined if L would have more than `most` entries, or if the order takes too many searches */
export function analyse(A: Sparse, most: number = Number.POSITIVE_INFINITY, searches?: number): Symbolic | undefined {
  const graph = graphOf(A);
  const { size } = graph;
  const dissected = nestedDissection(graph, searches);
  if (!dissected) return undefined;
  const order = postorder(eliminationTree(graph, dissected)).map((k) => dissected[k]!);
  const tree = eliminationTree(graph, order);
  const place = inverse(order);
  const counts = columnCounts(graph, order, place, tree, most);
  if (!counts) return undefined;
  const first = supernodes(tree, counts);
  return { size, order, place, ...structure(graph, order, place, first) };
}

function inverse(order: Int32Array): Int32Array {
  const place = new Int32Array(order.length);
  for (let k = 0; k < order.length; k++) place[order[k]!] = k;
  return place;
}

/** parent[j]: the first row below the diagonal in column j of L, −1 for none (Liu's algorithm with short cuts) */
function eliminationTree({ size, pointers, neighbours }: Graph, order: Int32Array): Int32Array {
  const place = inverse(order);
  const [parent, ancestor] = [new Int32Array(size).fill(-1), new Int32Array(size).fill(-1)];
  for (let i = 0; i < size; i++) {
    const v = order[i]!;
    for (let k = pointers[v]!; k < pointers[v + 1]!; k++) {
      let j = place[neighbours[k]!]!;
      while (j !== -1 && j < i) {
        const next = ancestor[j]!;
        ancestor[j] = i;
        if (next === -1) parent[j] = i;
        j = next;
      }
    }
  }
  return parent;
}

/** A postorder of the forest */
function postorder(parent: Int32Array): Int32Array {
  const size = parent.length;
  const [head, next] = [new Int32Array(size).fill(-1), new Int32Array(size).fill(-1)];
  for (let j = size - 1; j >= 0; j--) {
    if (parent[j]! < 0) continue;
    next[j] = head[parent[j]!]!;
    head[parent[j]!] = j;
  }
  const post = new Int32Array(size);
  const stack = new Int32Array(size);
  let count = 0;
  for (let root = 0; root < size; root++) {
    if (parent[root]! >= 0) continue;
    let top = 0;
    stack[0] = root;
    while (top >= 0) {
      const j = stack[top]!;
      const child = head[j]!;
      if (child < 0) {
        post[count++] = j;
        top--;
      } else {
        head[j] = next[child]!;
        stack[++top] = child;
      }
    }
  }
  return post;
}

/** Entries of each column of L, its diagonal included: row i has those on the paths from its entries of A up to i */
function columnCounts(
  { size, pointers, neighbours }: Graph,
  order: Int32Array,
  place: Int32Array,
  parent: Int32Array,
  most: number,
): Int32Array | undefined {
  const counts = new Int32Array(size).fill(1);
  const mark = new Int32Array(size).fill(-1);
  let total = size;
  for (let i = 0; i < size; i++) {
    const v = order[i]!;
    mark[i] = i;
    for (let k = pointers[v]!; k < pointers[v + 1]!; k++) {
      for (let j = place[neighbours[k]!]!; j < i && mark[j] !== i; j = parent[j]!) {
        mark[j] = i;
        counts[j]!++;
        total++;
      }
    }
    if (total > most) return undefined;
  }
  return counts;
}

/**
 * Runs of columns with the same rows below them. A run is then amalgamated with the one of its parent if it stands just
 * before it and few zeros are added, since long runs make the arithmetic fast.
 */
function supernodes(parent: Int32Array, counts: Int32Array): Int32Array {
  const size = parent.length;
  /** first column, columns, entries of the first column, zeros stored so far */
  const runs: { at: number; columns: number; height: number; zeros: number }[] = [];
  for (let j = 0; j < size; j++) {
    const last = runs.at(-1);
    if (last && parent[j - 1] === j && counts[j - 1] === counts[j]! + 1) last.columns++;
    else runs.push({ at: j, columns: 1, height: counts[j]!, zeros: 0 });
  }
  const joined: typeof runs = [];
  for (const run of runs) {
    let own = run;
    for (let child = joined.at(-1); child && hasParentOfPrevious(own); child = joined.at(-1)) {
      const height = child.columns + own.height;
      const zeros = child.zeros + own.zeros + child.columns * (height - child.height);
      const columns = child.columns + own.columns;
      const stored = columns * height - (columns * (columns - 1)) / 2;
      if (child.columns > NARROW && zeros > ZEROS * stored) break;
      if (zeros > 0.5 * stored + 16) break;
      own = { at: child.at, columns, height, zeros };
      joined.pop();
    }
    joined.push(own);
  }
  return Int32Array.from([...joined.map(({ at }) => at), size]);

  /** Whether the parent of the column before the run lies in the run */
  function hasParentOfPrevious({ at, columns }: { at: number; columns: number }): boolean {
    return parent[at - 1]! >= at && parent[at - 1]! < at + columns;
  }
}

/** Rows below each supernode: those of A in its columns, and those of its children that are not its own columns */
function structure(
  { size, pointers, neighbours }: Graph,
  order: Int32Array,
  place: Int32Array,
  first: Int32Array,
): Pick<Symbolic, "first" | "rows" | "parent" | "entries" | "flops"> {
  const count = first.length - 1;
  const owner = new Int32Array(size);
  for (let s = 0; s < count; s++) owner.fill(s, first[s]!, first[s + 1]!);
  const children: number[][] = Array.from({ length: count }, () => []);
  const rows: Int32Array[] = [];
  const parent = new Int32Array(count).fill(-1);
  const mark = new Int32Array(size).fill(-1);
  let [entries, flops] = [0, 0];
  for (let s = 0; s < count; s++) {
    const unsorted: number[] = [];
    const end = first[s + 1]!;
    const add = (i: number): void => {
      if (i < end || mark[i] === s) return;
      mark[i] = s;
      unsorted.push(i);
    };
    for (let j = first[s]!; j < end; j++) {
      const v = order[j]!;
      for (let k = pointers[v]!; k < pointers[v + 1]!; k++) add(place[neighbours[k]!]!);
    }
    for (const child of children[s]!) for (const i of rows[child]!) add(i);
    const below = Int32Array.from(unsorted).sort();
    rows.push(below);
    if (below.length > 0) {
      parent[s] = owner[below[0]!]!;
      children[parent[s]!]!.push(s);
    }
    const columns = end - first[s]!;
    entries += columns * (columns + below.length);
    for (let k = 0; k < columns; k++) flops += (columns - k + below.length) ** 2;
  }
  return { first, rows, parent, entries, flops };
}

/** Entries of L at most: half a gigabyte */
const MOST_ENTRIES = 2 ** 26;
const analyses = new WeakMap<Sparse, { symbolic: Symbolic | undefined }>();

/** `analyse` of a matrix, cached for the run and its certificate, which both factorize it; undefined if L would be too large */
export function analysed(A: Sparse, searches?: number): Symbolic | undefined {
  const cached = analyses.get(A);
  if (cached) return cached.symbolic;
  const symbolic = analyse(A, MOST_ENTRIES, searches);
  if (symbolic || searches === undefined) analyses.set(A, { symbolic });
  return symbolic;
}

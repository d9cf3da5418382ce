/** Free pieces of an address range, sorted by address, no two of them adjacent. */
export interface FreeList {
  /** Takes the bytes from the first piece that is long enough; returns their address, or −1 if no piece is. */
  take(bytes: number): number;
  /** Adds a piece, merged with adjacent ones. */
  give(at: number, bytes: number): void;
  pieces(): readonly { readonly at: number; readonly end: number }[];
}

export function freeList(): FreeList {
  const list: { at: number; end: number }[] = [];

  /** The number of pieces that begin before `at` */
  function before(at: number): number {
    let [low, high] = [0, list.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (list[middle]!.at < at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    take(bytes) {
      const i = list.findIndex((piece) => piece.end - piece.at >= bytes);
      if (i < 0) return -1;
      const piece = list[i]!;
      const { at } = piece;
      piece.at += bytes;
      if (piece.at === piece.end) list.splice(i, 1);
      return at;
    },

    give(at, bytes) {
      const i = before(at);
      const [left, right] = [list[i - 1], list[i]];
      const end = at + bytes;
      if (left?.end === at && right?.at === end) {
        left.end = right.end;
        list.splice(i, 1);
      } else if (left?.end === at) left.end = end;
      else if (right?.at === end) right.at = at;
      else list.splice(i, 0, { at, end });
    },

    pieces: () => list,
  };
}

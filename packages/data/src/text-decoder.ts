/** The letters of a file of text: UTF-8; UTF-16, as Windows writes it; else Windows-1252, the older code of Western Europe. */

/** Bytes whose zeros tell UTF-16 without a mark from other texts */
const SAMPLE = 256;

function encodingOf(bytes: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" {
  const [a, b] = bytes;
  if (a === 0xff && b === 0xfe) return "utf-16le";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  const zeros = [0, 0];
  for (let i = 0; i < Math.min(bytes.length, SAMPLE); i++) if (bytes[i] === 0) zeros[i % 2]!++;
  // digits and separators are below 256: one byte of two is zero
  if (zeros[1]! > 0 && zeros[0] === 0) return "utf-16le";
  if (zeros[0]! > 0 && zeros[1] === 0) return "utf-16be";
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return "utf-8";
  } catch {
    return "windows-1252";
  }
}

/** Decodes a file in pieces; the first one shows the code. */
export interface PieceDecoder {
  decode(piece: Uint8Array): string;
  /** the letters of the bytes that are left */
  end(): string;
  /** sentences on the encoding that was assumed */
  notes(): string[];
}

export function pieceDecoder(): PieceDecoder {
  let decoder: TextDecoder | undefined;
  return {
    decode(piece) {
      decoder ??= new TextDecoder(encodingOf(piece));
      return decoder.decode(piece, { stream: true });
    },
    end: () => decoder?.decode() ?? "",
    notes: () =>
      decoder?.encoding === "windows-1252" ? ["the file is not UTF-8; its letters are read as Windows-1252"] : [],
  };
}

/** The text in the bytes of a file: UTF-8, UTF-16, or else Windows-1252 */
export function textOf(bytes: Uint8Array): { text: string; notes: string[] } {
  const decoder = pieceDecoder();
  return { text: decoder.decode(bytes) + decoder.end(), notes: decoder.notes() };
}

/** k matrices n×p */
export interface BlockShape {
  readonly k: number;
  readonly n: number;
  readonly p: number;
}

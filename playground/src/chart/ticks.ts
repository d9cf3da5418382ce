/** Round numbers, about `count` of them, between a and b. */
export function ticks(a: number, b: number, count: number): number[] {
  const raw = (b - a) / count;
  const magnitude = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * magnitude).find((s) => s >= raw)!;
  const values: number[] = [];
  for (let i = Math.ceil(a / step); i * step <= b * (1 + 1e-12); i++) values.push(Number((i * step).toPrecision(12)));
  return values;
}

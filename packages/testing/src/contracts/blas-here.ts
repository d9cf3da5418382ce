import { type BlasOptions, blasEngine } from "@expen/engines/blas";

/** Whether tests of `blas` are skipped, and a title that says why. With "blas" in EXPEN_REQUIRE they run, and so fail, without it. */
export async function blasHere(options: BlasOptions): Promise<{ absent: boolean; title: string }> {
  try {
    await blasEngine(options);
  } catch (error) {
    const required = (process.env.EXPEN_REQUIRE ?? "").includes("blas");
    if (!required) return { absent: true, title: `blas (skipped: ${(error as Error).message})` };
  }
  return { absent: false, title: "blas" };
}

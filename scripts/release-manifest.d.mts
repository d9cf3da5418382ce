import type { Repository } from "./published-page.mjs";

export interface Manifest {
  readonly name: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly files: readonly string[];
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}
export interface Folder {
  readonly folder: string;
  readonly manifest: Manifest;
}
export const packages: readonly Folder[];
export function inOrder(list: readonly Folder[]): Folder[];
export function publishedManifest(
  manifest: Manifest,
  whole: {
    readonly author?: string;
    readonly homepage?: string;
    readonly bugs?: unknown;
    readonly repository?: Repository;
  },
  folder: string,
): Manifest;
export function releaseNotes(changelog: string, version: string): string | undefined;

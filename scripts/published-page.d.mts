/** The `repository` of a package.json */
export type Repository = string | { readonly type?: string; readonly url: string } | undefined;
export function homeOf(repository: Repository): string | undefined;
export function publishedPage(
  text: string,
  place: { readonly home?: string | undefined; readonly version: string; readonly beside?: readonly string[] },
): string;

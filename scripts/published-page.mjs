// Pages as a registry shows them, where the files beside them are not: relative links lead to the repository, or are left out.

/** The address of the repository for people, from the `repository` of a package.json: https, without .git */
export function homeOf(repository) {
  const url = typeof repository === "string" ? repository : repository?.url;
  return url?.replace(/^git\+/, "").replace(/\.git$/, "");
}

/** [text](path), ![text](path) and paths with a title; not #anchor nor scheme: */
const LINK = /(!?)\[([^\]]*)\]\((?!#|[a-z][a-z0-9+.-]*:)([^)\s]+)(?:\s+"[^"]*")?\)/gi;

/**
 * The page without relative links, except to `beside`, the files that are published with it. `home`: the repository; without it a link is
 * its text, and a line of nothing but links and pictures goes.
 */
export function publishedPage(text, { home, version, beside = [] }) {
  const keep = (path) => beside.includes(path.replace(/^\.\//, "").replace(/#.*$/, ""));
  const lines = text.split("\n").flatMap((line) => {
    const links = [...line.matchAll(LINK)].filter(([, , , path]) => !keep(path));
    if (links.length === 0) return [line];
    const rest = line
      .replace(LINK, (whole, _, __, path) => (keep(path) ? whole : ""))
      .replace(/[\s·|]|\(`[^`]*`\)/g, "");
    if (!home && rest === "") return [];
    return [
      line.replace(LINK, (whole, image, words, path) => {
        if (keep(path)) return whole;
        if (!home) return image ? "" : words;
        return `${image}[${words}](${home}/${image ? "raw" : "blob"}/v${version}/${path.replace(/^\.\//, "")})`;
      }),
    ];
  });
  return lines.join("\n").replace(/\n{3,}/g, "\n\n");
}

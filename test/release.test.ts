/** Packages, pages and metadata as they are published. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { homeOf, publishedPage } from "../scripts/published-page.mjs";
import { inOrder, packages, publishedManifest, releaseNotes } from "../scripts/release-manifest.mjs";
import { published, root } from "./workspace.js";

const read = (path: string): string => readFileSync(join(root, path), "utf8");
const whole = JSON.parse(read("package.json"));

describe("pages of a registry", () => {
  const text =
    "# A\n\n[Guide](docs/README.md) · ![P](docs/p.svg)\n\nSee [the guide](./docs/a.md#b), [npm](https://a.b/c), [here](#d), [L](LICENSE).\n";
  test("links lead to the repository, at the version", () => {
    const page = publishedPage(text, { home: "https://host/owner/name", version: "1.2.3", beside: ["LICENSE"] });
    expect(page).toContain("[Guide](https://host/owner/name/blob/v1.2.3/docs/README.md)");
    expect(page).toContain("![P](https://host/owner/name/raw/v1.2.3/docs/p.svg)");
    expect(page).toContain(
      "[the guide](https://host/owner/name/blob/v1.2.3/docs/a.md#b), [npm](https://a.b/c), [here](#d), [L](LICENSE)",
    );
  });

  test("without a repository links are their words, and lines of nothing but links go", () => {
    const page = publishedPage(text, { version: "1.2.3", beside: ["LICENSE"] });
    expect(page).toBe("# A\n\nSee the guide, [npm](https://a.b/c), [here](#d), [L](LICENSE).\n");
  });
});

test("the address of a repository in every form that npm takes", () => {
  for (const url of ["git+https://host/a/b.git", "https://host/a/b", { type: "git", url: "git+https://host/a/b.git" }])
    expect(homeOf(url)).toBe("https://host/a/b");
  expect(homeOf(undefined)).toBeUndefined();
});

test("every package is published after those that it depends on", () => {
  const names = inOrder(packages).map(({ manifest }) => manifest.name);
  expect(names.toSorted()).toEqual(published.map(({ manifest }) => manifest.name).sort());
  for (const { manifest } of packages) {
    for (const other of Object.keys(manifest.dependencies ?? {}).filter((name) => names.includes(name)))
      expect(names.indexOf(other)).toBeLessThan(names.indexOf(manifest.name));
  }
});

describe.each(packages.map((one) => [one.manifest.name as string, one] as const))("%s", (_, { folder, manifest }) => {
  test("says what it is, in its own words, and has a licence", () => {
    expect(manifest).toMatchObject({ license: "MIT", type: "module", engines: whole.engines });
    expect(manifest.description.length).toBeGreaterThan(20);
    expect(new Set(manifest.keywords).size).toBeGreaterThanOrEqual(5);
    const same = packages.filter((other) => other.manifest.description === manifest.description);
    expect(same.length).toBe(1);
    expect(manifest.files).toEqual(expect.arrayContaining(["dist", "README.md", "LICENSE"]));
    // no code of a package runs when it is installed
    for (const script of ["install", "preinstall", "postinstall", "prepare"])
      expect(manifest.scripts?.[script]).toBeUndefined();
  });

  test("is published without its sources, with the place of the repository in it", () => {
    const own = { ...whole, repository: "git+https://host/owner/name.git" };
    const made = publishedManifest(manifest, own, folder);
    expect(JSON.stringify(made)).not.toContain("@expen/source");
    expect(made).toMatchObject({
      author: whole.author,
      homepage: "https://host/owner/name#readme",
      bugs: { url: "https://host/owner/name/issues" },
      repository: { type: "git", url: own.repository, directory: expect.stringMatching(/^packages.\w+$/) },
      publishConfig: { access: "public" },
    });
    for (const to of Object.values(made.exports)) {
      if (typeof to === "string") continue;
      // TypeScript takes the first condition that fits
      expect(Object.keys(to)[0]).toBe("types");
      expect(Object.keys(to).at(-1)).toBe("default");
    }
  });
});

test("the changelog begins with the version, and has its changes", () => {
  const notes = releaseNotes(read("CHANGELOG.md"), whole.version);
  expect(notes!.length).toBeGreaterThan(100);
  expect(releaseNotes("# Changelog\n\n## 0.3.0\n\nNew.\n\n## 0.2.0\n\nOld.\n", "0.3.0")).toBe("New.");
  expect(releaseNotes("# Changelog\n\n## 0.3.0\n\nNew.\n", "0.2.0")).toBeUndefined();
});

test("CITATION.cff is of this version; SECURITY.md is there", () => {
  const citation = read("CITATION.cff");
  expect(/^version: (.*)$/m.exec(citation)![1]).toBe(whole.version);
  for (const key of ["cff-version: 1.2.0", "title:", "authors:", "license: MIT", "message:"])
    expect(citation).toContain(key);
  expect(existsSync(join(root, "SECURITY.md"))).toBe(true);
});

test("no file of a registry's host is in the lock", () => {
  const links = [...read("package-lock.json").matchAll(/"resolved": "([^"]*)"/g)].map((m) => m[1]!);
  expect(links.filter((link) => /^[a-z+]+:/.test(link))).toEqual([]);
});

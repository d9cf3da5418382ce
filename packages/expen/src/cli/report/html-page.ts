import { markup } from "../../plot/svg-plot.js";

/** A page that needs no other file. `body`: its elements, of which empty ones are left out */
export const htmlPage = (title: string, style: string, body: readonly string[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${markup(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${body.filter((part) => part !== "").join("\n")}
</main>
</body>
</html>
`;

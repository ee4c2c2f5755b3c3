// Bundles src/ into one file, page.html, which the program completes with the documents that it shows.
//   node build.mjs [FILE]
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";

const common = { bundle: true, minify: true, write: false, charset: "ascii", legalComments: "none", logLevel: "warning" };
const script = await build({ ...common, entryPoints: ["src/main.ts"], format: "iife", target: "es2022" });
const style = await build({ ...common, entryPoints: ["src/style/page.css"] });

// A library separates keys by \x01, which the minifier writes as the character itself; no page holds one.
const escaped = (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
const text = (built) => built.outputFiles[0].text.trim().replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g, escaped);
const hash = (content) => `'sha256-${createHash("sha256").update(content).digest("base64")}'`;
const policy = [
  "default-src 'none'",
  `script-src ${hash(text(script))}`,
  `style-src ${hash(text(style))}`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

writeFileSync(process.argv[2] ?? "page.html", `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>model_validator</title>
<style>${text(style)}</style>
</head>
<body>
<noscript>This page is drawn by a script of its own, which is switched off here.</noscript>
<!--documents-->
<script>${text(script)}</script>
</body>
</html>
`);

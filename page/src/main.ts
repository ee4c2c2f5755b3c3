// Draws the page for whatever document it holds.
import { checkPage } from "./check/page";
import { diffPage } from "./diff/page";
import { mainDocument } from "./documents";
import { h } from "./dom";
import { partitionPage } from "./partition/page";
import type { MainDocument } from "./schema";
import { verifyPage } from "./verify/page";

async function draw(main: HTMLElement): Promise<void> {
  const shown: MainDocument = await mainDocument();
  switch (shown.schema) {
    case "model_validator/1": return checkPage(shown, main);
    case "model_validator-verify/1": return verifyPage(shown, main);
    case "model_validator-partition/1": return partitionPage(shown, main);
    case "model_validator-diff/1": return diffPage(shown, main);
    default: throw new Error(`this page cannot show ${(shown as { schema: string }).schema}`);
  }
}

const main = h("main", {});
document.body.append(main);
draw(main).then(
  () => document.body.setAttribute("data-ready", "yes"),
  (error: unknown) => {
    main.append(h("p", { class: "finding error" }, `The page could not be drawn: ${String(error)}`));
    document.body.setAttribute("data-ready", "no");
  },
);
document.addEventListener("keydown", (event) => {
  const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
  if (event.key !== "/" || typing) return;
  event.preventDefault();
  document.querySelector<HTMLInputElement>(".pane input[type=search]")?.focus();
});

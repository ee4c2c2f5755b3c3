// Python as coloured text.
import { highlightTree, tagHighlighter, tags } from "@lezer/highlight";
import { parser } from "@lezer/python";
import { h, visible } from "../dom";

const classes = tagHighlighter([
  { tag: tags.keyword, class: "k" },
  { tag: [tags.string, tags.special(tags.string)], class: "s" },
  { tag: tags.comment, class: "c" },
  { tag: tags.number, class: "n" },
  { tag: [tags.function(tags.definition(tags.variableName)), tags.definition(tags.className)], class: "d" },
  { tag: tags.bool, class: "n" },
  { tag: tags.null, class: "n" },
]);

/** Lines of code, each a list of pieces. */
export function coloured(lines: string[]): Node[][] {
  const code = lines.join("\n");
  const result: Node[][] = [[]];
  const put = (text: string, kind: string): void => {
    text.split("\n").forEach((piece, index) => {
      if (index > 0) result.push([]);
      if (piece) result[result.length - 1]!.push(kind ? h("span", { class: kind }, piece) : document.createTextNode(visible(piece)));
    });
  };
  let done = 0;
  highlightTree(parser.parse(code), classes, (from, to, kind) => {
    put(code.slice(done, from), "");
    put(code.slice(from, to), kind);
    done = to;
  });
  put(code.slice(done), "");
  return result;
}

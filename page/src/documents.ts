// The documents that the page shows: JSON as the commands print it, compressed, in script elements that nothing runs.
import type { Graph, Inspection, MainDocument, Sources } from "./schema";

function bytesOf(element: Element): Uint8Array<ArrayBuffer> {
  const characters = atob(element.textContent ?? "");
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < characters.length; i++) bytes[i] = characters.charCodeAt(i);
  return bytes;
}

async function parsed(element: Element): Promise<unknown> {
  const stream = new Blob([bytesOf(element)]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

const elements = (kind: string): Element[] => [...document.querySelectorAll(`script[data-kind="${kind}"]`)];

async function numbered(kind: string, model: number): Promise<unknown> {
  const element = elements(kind).find((each) => each.getAttribute("data-model") === String(model));
  return element ? parsed(element) : null;
}

/** What the page is about: the result of `check`, `verify`, `partition` or `diff`. */
export async function mainDocument(): Promise<MainDocument> {
  const element = elements("main")[0];
  if (!element) throw new Error("this page holds no document");
  return (await parsed(element)) as MainDocument;
}

/** The graph of a model, if the page has it. */
export async function graphOf(model: number): Promise<Graph | null> {
  return (await numbered("graph", model)) as Graph | null;
}

/** What `inspect` says of a model, if the page has it. */
export async function inspectionOf(model: number): Promise<Inspection | null> {
  return (await numbered("inspect", model)) as Inspection | null;
}

/** The Python around the findings of a model. */
export async function sourcesOf(model: number): Promise<Sources | null> {
  return (await numbered("sources", model)) as Sources | null;
}

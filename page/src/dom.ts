// Elements are made here alone, and from text alone: nothing of a model is ever parsed as markup.

export type Child = Node | string | number | null | undefined | false;

export interface Attributes {
  class?: string;
  title?: string;
  /** Handlers by the name of their event. */
  on?: Record<string, (event: Event) => void>;
  [name: string]: unknown;
}

// Control characters, and marks that reorder or hide text.
const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff0-\ufffb\ufffe\uffff]/g;

/** Text in which nothing is hidden: what is not seen becomes a visible escape. */
export function visible(text: string): string {
  return text.replace(unseen, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function set(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on")
      for (const [event, handler] of Object.entries(value as Record<string, (event: Event) => void>))
        element.addEventListener(event, handler);
    else element.setAttribute(name, value === true ? "" : visible(String(value)));
  }
}

function fill(element: Element, children: Child[]): void {
  for (const child of children)
    if (child !== null && child !== undefined && child !== false)
      element.append(child instanceof Node ? child : visible(String(child)));
}

/** An element of HTML. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  set(element, attributes);
  fill(element, children);
  return element;
}

/** An element of SVG. */
export function s<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[Tag] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  set(element, attributes);
  fill(element, children);
  return element;
}

/** What the browser calls the page. */
export function setTitle(text: string): void {
  document.title = visible(text);
}

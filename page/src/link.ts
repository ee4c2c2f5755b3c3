// What the reader looks at, in the address, so that a link to it can be sent.

export interface Link {
  /** The place of a model in the report. */
  model?: string;
  /** The fingerprint of a finding. */
  finding?: string;
  /** The name of an op. */
  op?: string;
}

const NAMES = ["model", "finding", "op"] as const;

export function currentLink(): Link {
  const parameters = new URLSearchParams(location.hash.slice(1));
  const link: Link = {};
  for (const name of NAMES) {
    const value = parameters.get(name);
    if (value !== null) link[name] = value;
  }
  return link;
}

export function hashOf(link: Link): string {
  const parameters = new URLSearchParams();
  for (const name of NAMES) if (link[name] !== undefined) parameters.set(name, link[name]);
  return `#${parameters}`;
}

/** Puts it into the address without a step in the browser's history. */
export function setLink(link: Link): void {
  history.replaceState(null, "", hashOf(link));
}

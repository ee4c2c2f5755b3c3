// What is known of each op besides the graph: filled by whatever the page is about.
import type { Colouring } from "./colours";

export interface Facts {
  colourings: Colouring[];
  /** Lines about an op, by its name, such as its findings. */
  notes: Map<string, string[]>;
}

export function addNote(facts: Facts, op: string, note: string): void {
  const known = facts.notes.get(op);
  if (known) known.push(note);
  else facts.notes.set(op, [note]);
}

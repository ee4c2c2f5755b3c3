// What the boxes of the graph can be coloured by.

/** A colour and what it stands for; `tone` is a class of the style sheet. */
export interface Shade {
  tone: string;
  words: string;
}

/** A way to colour the ops. Shades are ordered: a frame has the last of those in it. */
export interface Colouring {
  name: string;
  shades: Shade[];
  /** The place in `shades` of an op, by name; undefined where it has none. */
  of: Map<string, number>;
}

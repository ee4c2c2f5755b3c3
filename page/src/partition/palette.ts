// Colours of targets: as many as can be told apart.
const TONES = ["tone-0", "tone-1", "tone-2", "tone-3", "tone-4", "tone-5"];

export function toneOf(index: number, fallback: boolean): string {
  return fallback ? "tone-rest" : TONES[index] ?? "tone-rest";
}

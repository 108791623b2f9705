// The rule set of a table as the house tells it: its options by name, whatever they are wrapped in.

export type Options = Readonly<Record<string, unknown>>;

/** Every rule set of baccarat has this option; by it the options are found. */
const MARK = 'tie_policy';
const DEPTH_MAX = 3;

export function readOptions(told: unknown, depth = 0): Options | null {
  if (typeof told !== 'object' || told === null || depth > DEPTH_MAX) return null;
  if (MARK in told) return told as Options;
  for (const inner of Object.values(told)) {
    const found = readOptions(inner, depth + 1);
    if (found !== null) return found;
  }
  return null;
}

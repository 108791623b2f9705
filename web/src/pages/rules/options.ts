// The rule set of a table as the house tells it: its options by name, whatever they are wrapped in.

export type Options = Readonly<Record<string, unknown>>;

/** Every rule set of baccarat has this option; by it the options are found. */
const MARK = 'tie_policy';
const DEPTH_MAX = 3;

/** What the house keeps of a bet, in per cent, as it counted it. */
export function readEdges(told: unknown): Readonly<Record<string, string>> {
  const listed = typeof told === 'object' && told !== null && 'edges' in told ? told.edges : [];
  if (!Array.isArray(listed)) return {};
  const known = listed.filter(
    (edge): edge is { on: string; percent: string } =>
      typeof edge?.on === 'string' && typeof edge?.percent === 'string',
  );
  return Object.fromEntries(known.map(({ on, percent }) => [on, percent]));
}

export function readOptions(told: unknown, depth = 0): Options | null {
  if (typeof told !== 'object' || told === null || depth > DEPTH_MAX) return null;
  if (MARK in told) return told as Options;
  for (const inner of Object.values(told)) {
    const found = readOptions(inner, depth + 1);
    if (found !== null) return found;
  }
  return null;
}

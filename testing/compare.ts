/** Findings about two sets of ids that should be one, or one within the other. */

type Keyed = { keys(): Iterable<string>; has(id: string): boolean };
export const within = (what: string, a: Keyed, b: Keyed, where = 'jobs'): string[] =>
  [...a.keys()].filter((id) => !b.has(id)).map((id) => `${what} holds ${id}, which is not in ${where}`);
export const same = (what: string, a: Keyed, where: string, b: Keyed): string[] => [
  ...within(what, a, b, where),
  ...[...b.keys()].filter((id) => !a.has(id)).map((id) => `${what} lacks ${id}, which is in ${where}`),
];

/** Functions of a context become methods without it. */
type Verb<C> = (ctx: C, ...args: never[]) => unknown;
export type BoundVerbs<C, V> = {
  [K in keyof V]: V[K] extends (ctx: C, ...args: infer A) => infer R ? (...args: A) => R : never;
};

export function bindVerbs<C, V extends Record<string, Verb<C>>>(ctx: C, verbs: V): BoundVerbs<C, V> {
  const bound = Object.entries(verbs).map(([name, verb]) => [name, (...args: never[]) => verb(ctx, ...args)]);
  return Object.fromEntries(bound);
}

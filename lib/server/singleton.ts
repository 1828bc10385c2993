/**
 * Routes, pages and instrumentation are separate bundles of one process. What must exist once (broker, sampler, hub) lives
 * on globalThis under a registered symbol, and is made on first use.
 */
export function singleton<T>(name: string, make: () => T): () => T {
  const key = Symbol.for(`redrive.${name}`);
  const holder = globalThis as unknown as Record<symbol, T | undefined>;
  return () => {
    holder[key] ??= make();
    return holder[key];
  };
}

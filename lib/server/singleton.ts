/**
 * Routes, pages and instrumentation are separate bundles of one process. Objects that must exist once (broker, sampler, hub) live on
 * globalThis under a registered symbol, and are created on first use.
 */
export function singleton<T>(name: string, make: () => T): () => T {
  const key = Symbol.for(`redrive.${name}`);
  const holder = globalThis as unknown as Record<symbol, T | undefined>;
  return () => {
    holder[key] ??= make();
    return holder[key];
  };
}

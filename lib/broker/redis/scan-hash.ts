import type { BrokerContext } from './broker-context';

/** The fields of a hash with their values, in at most `scansMax` calls; a field may come twice. */
export async function* scanHash(
  ctx: BrokerContext,
  key: string,
  scansMax: number,
): AsyncGenerator<readonly [field: string, value: string][]> {
  let cursor = '0';
  for (let scans = 0; scans < scansMax; scans += 1) {
    const from = cursor;
    const [next, found] = await ctx.plain((redis) => redis.hscan(key, from, 'COUNT', SCAN_COUNT));
    yield Array.from(
      { length: found.length / 2 },
      (_, i) => [found[2 * i] ?? '', found[2 * i + 1] ?? ''] as const,
    );
    cursor = next;
    if (cursor === '0') return;
  }
}

/** Entries looked at by one call. */
export const SCAN_COUNT = 500;

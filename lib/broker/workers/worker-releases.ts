/** What releases of workers can run, also those whose workers are gone. Workers of one release tell the same. */
import { type HandlerSchemas, workerReleaseSchema } from '@/lib/contract/workers/handler-schemas';
import { readFields } from '../redis/bounded-reads';
import type { BrokerContext } from '../redis/broker-context';
import { perContext } from '../redis/context-cache';
import { parseJsonRow } from '../redis/parse-json';
import { serverNow } from '../redis/server-info';

export interface ReportedRelease {
  /** Sixteen hex digits of `json`. */
  readonly digest: string;
  readonly json: string;
}

export interface WorkerRelease {
  readonly digest: string;
  readonly version: string;
  readonly queues: readonly string[];
  /** Empty: unknown. */
  readonly handlers: HandlerSchemas;
  /** When a worker of it last told of it, by the clock of Redis. Each does so twice a minute. */
  readonly lastSeenAt: number;
}

/** Every worker's Redis user can write them: larger rows are skipped, and no more releases are read than the writer keeps. */
const RELEASES = { eachBytes: 1_000_000, allBytes: 8_000_000 };
const RELEASES_MAX = 50;

/** A digest always names the same. */
const read = perContext((): Map<string, Omit<WorkerRelease, 'digest' | 'lastSeenAt'>> => new Map());

/** At most 50, those of the last day. */
export async function readReleases(ctx: BrokerContext): Promise<{ at: number; releases: WorkerRelease[] }> {
  const key = { queue: null, index: 'workersSchemas' } as const;
  const known = read.of(ctx);
  const [at, [index]] = await Promise.all([serverNow(ctx), readFields(ctx, key, ['.releases'], RELEASES)]);
  const seen = new Map(
    [...(index ?? '').matchAll(/([0-9a-f]+) (\d+)/g)]
      .slice(-RELEASES_MAX)
      .map(([, digest = '', time]) => [digest, Number(time)]),
  );
  for (const digest of known.keys()) if (!seen.has(digest)) known.delete(digest);
  const wanted = [...seen.keys()].filter((digest) => !known.has(digest));
  if (wanted.length > 0) {
    const names = wanted.map((digest) => `.${digest}`);
    const rows = await readFields(ctx, key, names, RELEASES);
    wanted.forEach((digest, i) => {
      const release = parseJsonRow(workerReleaseSchema, rows[i]);
      if (release) known.set(digest, release);
    });
  }
  const releases = [...seen].flatMap(([digest, lastSeenAt]) => {
    const release = known.get(digest);
    return release ? [{ ...release, digest, lastSeenAt }] : [];
  });
  return { at, releases };
}

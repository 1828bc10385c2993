/**
 * The format of the data in Redis: a number that grows when an older version could not work with the data any more. The data name each
 * format that they have had, so that an older version refuses them instead of damaging them.
 */
import { RedriveError } from '@/lib/contract/redrive-error';
import type { RedisConnection } from '../redis-connection';

/** The format that this version reads and writes. docs/deploy/releases.md says when to raise it. */
export const DATA_FORMAT = 1;
/** The first release with this format, for the sentence of an older version. */
export const FORMAT_SINCE = '0.2.0';

/** Format → the first release with it. Empty: none is recorded. */
export type RecordedFormats = Readonly<Record<string, string>>;

/** Null: this Redis user may not look, or the key is damaged. Neither may keep a process from work. */
export async function readFormats(redis: RedisConnection, key: string): Promise<RecordedFormats | null> {
  try {
    return await redis.hgetall(key);
  } catch (error) {
    if (isRefused(error)) return null;
    throw error;
  }
}

const newestOf = (formats: RecordedFormats): number =>
  Math.max(0, ...Object.keys(formats).map(Number).filter(Number.isSafeInteger));

export const isNewer = (formats: RecordedFormats): boolean => newestOf(formats) > DATA_FORMAT;

/** @throws RedriveError DATA_NEWER */
export function refuseNewer(formats: RecordedFormats): void {
  const newest = newestOf(formats);
  if (newest <= DATA_FORMAT) return;
  const release = formats[newest]?.match(/^[\w.+-]{1,40}$/)?.[0];
  const [since, start] = release
    ? [`Redrive ${release}`, `Redrive ${release} or newer`]
    : ['a newer version of Redrive', 'that version'];
  throw new RedriveError(
    'DATA_NEWER',
    `The data in this Redis have format ${newest}, since ${since}; this version knows formats up to ${DATA_FORMAT}. Nothing was changed. Start ${start}, or restore a backup from before the update.`,
  );
}

/** Once for each format: the first process that uses the data records its own. @returns false when this user may not */
export async function recordFormat(
  redis: RedisConnection,
  key: string,
  formats: RecordedFormats,
): Promise<boolean> {
  if (newestOf(formats) >= DATA_FORMAT) return true;
  try {
    await redis.hsetnx(key, String(DATA_FORMAT), FORMAT_SINCE);
    return true;
  } catch (error) {
    if (isRefused(error)) return false;
    throw error;
  }
}

const isRefused = (error: unknown): boolean =>
  error instanceof Error && /NOPERM|WRONGTYPE/.test(error.message);

/**
 * The last loss of data, in Redis for a day, so that consoles of any age say the same. Consoles record it: producers and workers may not.
 */
import { DAY_MS } from '@/lib/contract/time-units';
import type { RedisConnection } from '../redis-connection';
import { type Dataset, type DatasetLoss, isForbidden } from './dataset';

export interface RecordedLossDeps {
  readonly dataset: Pick<Dataset, 'look' | 'onLoss'>;
  readonly key: string;
  plain<T>(call: (redis: RedisConnection) => Promise<T>): Promise<T>;
}

/** The returned function looks at the data, records a loss that this process has noticed, and answers with the one in Redis; null: none for a day. */
export function createRecordedLoss({
  dataset,
  key,
  plain,
}: RecordedLossDeps): () => Promise<DatasetLoss | null> {
  /** Noticed by this process, and not known to be in Redis. */
  let own: DatasetLoss | null = null;
  /** What is refused is not sent again: Redis logs each refusal. */
  let mayRecord = true;
  let mayRead = true;
  dataset.onLoss((loss) => {
    own = loss;
  });

  async function read(): Promise<DatasetLoss | null> {
    if (!mayRead) return null;
    try {
      return parseLoss(await plain((redis) => redis.get(key)));
    } catch (error) {
      if (!isForbidden(error)) throw error;
      mayRead = false;
      return null;
    }
  }

  async function record(loss: DatasetLoss): Promise<void> {
    const recorded = await read();
    // Another console noticed the same loss. An older record came with the data of a backup.
    if (recorded !== null && recorded.noticedAt >= loss.lastSeenAt) return;
    const text = `${loss.kind} ${loss.lastSeenAt} ${loss.noticedAt}`;
    await plain((redis) => redis.set(key, text, 'PX', DAY_MS));
  }

  return async () => {
    await dataset.look();
    const noticed = own;
    try {
      if (noticed !== null && mayRecord) {
        await record(noticed);
        if (own === noticed) own = null;
      }
    } catch (error) {
      if (!isForbidden(error)) throw error;
      mayRecord = false;
    }
    // A user who may only read adds what it has seen itself.
    return (await read()) ?? (own !== null && Date.now() - own.noticedAt < DAY_MS ? own : null);
  };
}

function parseLoss(text: string | null): DatasetLoss | null {
  const [, kind, lastSeenAt, noticedAt] = text?.match(/^(emptied|other) (\d{1,15}) (\d{1,15})$/) ?? [];
  if (kind !== 'emptied' && kind !== 'other') return null;
  return { kind, lastSeenAt: Number(lastSeenAt), noticedAt: Number(noticedAt) };
}

/** "Nothing was changed" is said of a whole change, so a refusal behind a part that was made does not say it. */
import { describe, expect, it } from 'vitest';
import { inBatches } from '@/lib/broker/jobs/job-batches';
import { RedriveError } from '@/lib/contract/redrive-error';
import { toRedriveError, unavailableError } from '../redis/redis-errors';
import { allAnswers, changeOtherShards, fanOut } from './fan-out';
import { afterPart } from './partial-change';
import { layoutOf } from './shard-layout';

const refusal = () => toRedriveError(new Error('LOADING Redis is loading the dataset in memory'));
const lost = () => toRedriveError(new Error('Command timed out'));
const LAYOUT = layoutOf('mail', { count: 3, by: 'id' }, 1);
const caught = async (work: Promise<unknown>): Promise<RedriveError> => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof RedriveError)) throw new Error(`no error of ours: ${error}`);
  return error;
};
const inShards = async (change: (shard: number) => Promise<unknown>) =>
  allAnswers(await fanOut(LAYOUT, (_, shard) => change(shard)), LAYOUT, 'The pause');

describe('a change in every shard', () => {
  it('says that nothing was changed when each shard refused', async () => {
    const error = await caught(inShards(() => Promise.reject(refusal())));
    expect([error.code, error.message]).toEqual([
      'REDIS_UNAVAILABLE',
      expect.stringMatching(/Nothing was changed/),
    ]);
  });

  it('does not say so when one shard has it', async () => {
    const error = await caught(
      inShards((shard) => (shard === 0 ? Promise.resolve() : Promise.reject(refusal()))),
    );
    expect(error.code).toBe('UNKNOWN_OUTCOME');
    expect(error.message).toMatch(
      /^The pause reached 1 of the 3 shards of mail, but not shard 1, 2: .*Send it again/,
    );
    expect(error.message).not.toMatch(/Nothing was/);
  });

  it('does not say so when a shard may have it, whichever refused first', async () => {
    const error = await caught(inShards((shard) => Promise.reject(shard === 2 ? lost() : refusal())));
    expect([error.code, error.message]).toEqual(['UNKNOWN_OUTCOME', expect.stringMatching(/may or may not/)]);
  });

  it('counts the first shard, which had it before the others were asked', async () => {
    const error = await caught(
      changeOtherShards(LAYOUT, 'The settings', () =>
        Promise.reject(unavailableError('ECONNREFUSED 127.0.0.1:1')),
      ),
    );
    expect(error.code).toBe('UNKNOWN_OUTCOME');
    expect(error.message).toMatch(/^The settings reached 1 of the 3 shards of mail, but not shard 1, 2: /);
    expect(error.message).not.toMatch(/Nothing was/);
  });
});

describe('a change in several calls', () => {
  it.each([
    ['the first', 0, 'REDIS_UNAVAILABLE', /Nothing was changed/],
    [
      'a later',
      1,
      'UNKNOWN_OUTCOME',
      /^(?!.*Nothing was).*Part of the change may have been made\. Send it again/,
    ],
  ])('says what holds when %s call is refused', async (_, answered, code, words) => {
    let calls = 0;
    const error = await caught(
      inBatches([1, 2, 3], 1, () =>
        calls++ < answered ? Promise.resolve(['ok']) : Promise.reject(refusal()),
      ),
    );
    expect([error.code, error.message]).toEqual([code, expect.stringMatching(words)]);
  });

  it('leaves an error alone that claims nothing', () => {
    const error = new RedriveError('VALIDATION', 'reason is missing.');
    expect(afterPart(error)).toBe(error);
    expect(afterPart('text')).toBe('text');
  });

  it('keeps fields and the time to wait', () => {
    const fields = [{ field: 'scope', message: 'is full' }];
    const error = new RedriveError('LIMIT_REACHED', 'Full. Nothing was changed.', {
      fields,
      retryAfterMs: 5,
    });
    expect(afterPart(error)).toMatchObject({ code: 'LIMIT_REACHED', fields, retryAfterMs: 5 });
    expect((afterPart(error) as Error).message).toMatch(/^Full\. Part of the change/);
  });
});

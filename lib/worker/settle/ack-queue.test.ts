import { describe, expect, it, vi } from 'vitest';
import { RedriveError } from '@/lib/contract/redrive-error';
import { createAckQueue } from './ack-queue';

const lost = () => new RedriveError('UNKNOWN_OUTCOME', 'the reply was lost');
function queueOf(
  send: (items: readonly string[]) => Promise<readonly string[]>,
  worthRetrying: () => boolean = () => true,
) {
  const onTrouble = vi.fn();
  return {
    queue: createAckQueue<string, string>({ what: 'ack', send, worthRetrying, random: () => 0, onTrouble }),
    onTrouble,
  };
}

describe('createLane', () => {
  it('sends all that ended in one tick in one call', async () => {
    const send = vi.fn(async (items: readonly string[]) => items.map((item) => `done ${item}`));
    const { queue } = queueOf(send);
    expect(await Promise.all(['a', 'b', 'c'].map((item) => queue.push(item)))).toEqual([
      'done a',
      'done b',
      'done c',
    ]);
    expect(send).toHaveBeenCalledTimes(1);
  });

  it('sends again after a lost reply, together with what ended meanwhile', async () => {
    const sent: string[][] = [];
    let later: Promise<unknown> = Promise.resolve();
    const { queue, onTrouble } = queueOf(async (items) => {
      sent.push([...items]);
      if (sent.length === 1) {
        later = queue.push('b');
        throw lost();
      }
      return items.map(() => 'already');
    });
    expect(await queue.push('a')).toBe('already');
    expect(await later).toBe('already');
    expect(sent).toEqual([['a'], ['a', 'b']]);
    expect(onTrouble).toHaveBeenCalledTimes(1);
  });

  it('gives up once a resend can be of no use, and at once on what is not valid', async () => {
    expect(
      await queueOf(
        () => Promise.reject(lost()),
        () => false,
      ).queue.push('a'),
    ).toBe('gave-up');
    const invalid = () => Promise.reject(new RedriveError('VALIDATION', 'no token'));
    expect(await queueOf(invalid).queue.push('a')).toBe('gave-up');
  });

  it('one that is not valid does not take the others with it', async () => {
    const { queue } = queueOf((items) =>
      items.includes('bad')
        ? Promise.reject(new RedriveError('VALIDATION', 'not valid'))
        : Promise.resolve(items.map(() => 'done')),
    );
    expect(await Promise.all(['a', 'bad', 'c'].map((item) => queue.push(item)))).toEqual([
      'done',
      'gave-up',
      'done',
    ]);
  });

  it('gives up what is left when it is closed', async () => {
    const { queue, onTrouble } = queueOf(() => Promise.reject(lost()));
    const pushed = queue.push('a');
    await vi.waitFor(() => expect(onTrouble).toHaveBeenCalled());
    queue.close();
    expect(await pushed).toBe('gave-up');
    expect(await queue.push('b')).toBe('gave-up');
  });
});

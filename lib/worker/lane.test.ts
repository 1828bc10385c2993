import { describe, expect, it, vi } from 'vitest';
import { RedriveError } from '@/lib/contract/errors';
import { createLane } from './lane';

const lost = () => new RedriveError('UNKNOWN_OUTCOME', 'the reply was lost');
function laneOf(
  send: (items: readonly string[]) => Promise<readonly string[]>,
  worthRetrying: () => boolean = () => true,
) {
  const onTrouble = vi.fn();
  return {
    lane: createLane<string, string>({ what: 'ack', send, worthRetrying, random: () => 0, onTrouble }),
    onTrouble,
  };
}

describe('createLane', () => {
  it('sends all that ended in one tick in one call', async () => {
    const send = vi.fn(async (items: readonly string[]) => items.map((item) => `done ${item}`));
    const { lane } = laneOf(send);
    expect(await Promise.all(['a', 'b', 'c'].map((item) => lane.push(item)))).toEqual([
      'done a',
      'done b',
      'done c',
    ]);
    expect(send).toHaveBeenCalledTimes(1);
  });

  it('sends again after a lost reply, together with what ended meanwhile', async () => {
    const sent: string[][] = [];
    let later: Promise<unknown> = Promise.resolve();
    const { lane, onTrouble } = laneOf(async (items) => {
      sent.push([...items]);
      if (sent.length === 1) {
        later = lane.push('b');
        throw lost();
      }
      return items.map(() => 'already');
    });
    expect(await lane.push('a')).toBe('already');
    expect(await later).toBe('already');
    expect(sent).toEqual([['a'], ['a', 'b']]);
    expect(onTrouble).toHaveBeenCalledTimes(1);
  });

  it('gives up once a resend can be of no use, and at once on what is not valid', async () => {
    expect(
      await laneOf(
        () => Promise.reject(lost()),
        () => false,
      ).lane.push('a'),
    ).toBe('gave-up');
    const invalid = () => Promise.reject(new RedriveError('VALIDATION', 'no token'));
    expect(await laneOf(invalid).lane.push('a')).toBe('gave-up');
  });

  it('one that is not valid does not take the others with it', async () => {
    const { lane } = laneOf((items) =>
      items.includes('bad')
        ? Promise.reject(new RedriveError('VALIDATION', 'not valid'))
        : Promise.resolve(items.map(() => 'done')),
    );
    expect(await Promise.all(['a', 'bad', 'c'].map((item) => lane.push(item)))).toEqual([
      'done',
      'gave-up',
      'done',
    ]);
  });

  it('gives up what is left when it is closed', async () => {
    const { lane, onTrouble } = laneOf(() => Promise.reject(lost()));
    const pushed = lane.push('a');
    await vi.waitFor(() => expect(onTrouble).toHaveBeenCalled());
    lane.close();
    expect(await pushed).toBe('gave-up');
    expect(await lane.push('b')).toBe('gave-up');
  });
});

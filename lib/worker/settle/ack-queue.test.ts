import { describe, expect, it, vi } from 'vitest';
import { RedriveError } from '@/lib/contract/redrive-error';
import { createAckQueue } from './ack-queue';

const lost = () => new RedriveError('UNKNOWN_OUTCOME', 'the reply was lost');
type Send = (items: readonly string[]) => Promise<readonly string[]>;

function queueOf(send: Send, more: { worthRetrying?: () => boolean; willBeTaken?: () => boolean } = {}) {
  const onTrouble = vi.fn();
  const outcomes: Record<string, string> = {};
  const queue = createAckQueue<string, string>({
    what: 'ack',
    send,
    onSettled(items, said) {
      items.forEach((item, i) => {
        expect(outcomes).not.toHaveProperty(item);
        outcomes[item] = said?.[i] ?? 'gave-up';
      });
    },
    worthRetrying: () => true,
    random: () => 0,
    onTrouble,
    ...more,
  });
  const push = (...items: string[]) => {
    for (const item of items) queue.push(item);
    queue.flush();
  };
  return { queue, push, outcomes, onTrouble };
}
const settled = (outcomes: object, expected: object) =>
  vi.waitFor(() => expect(outcomes).toEqual(expected), { timeout: 20_000 });

describe('the ack queue', () => {
  it('sends all that waits in one call', async () => {
    const send = vi.fn<Send>(async (items) => items.map((item) => `done ${item}`));
    const { push, outcomes } = queueOf(send);
    push('a', 'b', 'c');
    await settled(outcomes, { a: 'done a', b: 'done b', c: 'done c' });
    expect(send).toHaveBeenCalledTimes(1);
  });

  it('sends again after a lost reply, together with what ended meanwhile', async () => {
    const sent: string[][] = [];
    const { push, outcomes, onTrouble } = queueOf(async (items) => {
      sent.push([...items]);
      if (sent.length === 1) {
        push('b');
        throw lost();
      }
      return items.map(() => 'already');
    });
    push('a');
    await settled(outcomes, { a: 'already', b: 'already' });
    expect(sent).toEqual([['a'], ['a', 'b']]);
    expect(onTrouble).toHaveBeenCalledTimes(1);
  });

  it('gives up once a resend can be of no use, but not on what was never sent', async () => {
    let calls = 0;
    const { push, outcomes } = queueOf(
      async (items) => {
        calls += 1;
        if (calls > 1) return items.map(() => 'done');
        push('b');
        throw lost();
      },
      { worthRetrying: () => false },
    );
    push('a');
    await settled(outcomes, { a: 'gave-up', b: 'done' });
  });

  it('gives up on what is not valid at once', async () => {
    const { push, outcomes } = queueOf(() => Promise.reject(new RedriveError('VALIDATION', 'no token')));
    push('a');
    await settled(outcomes, { a: 'gave-up' });
  });

  it('one that is not valid does not take the others with it', async () => {
    const { push, outcomes } = queueOf((items) =>
      items.includes('bad')
        ? Promise.reject(new RedriveError('VALIDATION', 'not valid'))
        : Promise.resolve(items.map(() => 'done')),
    );
    push('a', 'bad', 'c');
    await settled(outcomes, { a: 'done', bad: 'gave-up', c: 'done' });
  });

  it('that gave everything up sends what is new without a delay, and hands it to a call that takes it along', async () => {
    let isAway = true;
    const { queue, push, outcomes } = queueOf(
      (items) => (isAway ? Promise.reject(lost()) : Promise.resolve(items.map(() => 'done'))),
      { worthRetrying: () => false },
    );
    push('a');
    await settled(outcomes, { a: 'gave-up' });
    isAway = false;
    queue.push('b');
    const batch = queue.take(1);
    expect(batch?.items).toEqual(['b']);
    batch?.succeed(['done']);
    expect(outcomes).toEqual({ a: 'gave-up', b: 'done' });
  });

  it('sends at once what failed, when another call was answered', async () => {
    vi.useFakeTimers();
    try {
      let isAway = true;
      const { queue, push, outcomes, onTrouble } = queueOf((items) =>
        isAway ? Promise.reject(lost()) : Promise.resolve(items.map(() => 'done')),
      );
      push('a');
      await vi.advanceTimersByTimeAsync(20_000);
      expect(onTrouble.mock.calls.length).toBeGreaterThan(6);
      isAway = false;
      queue.answered();
      await vi.advanceTimersByTimeAsync(0);
      expect(outcomes).toEqual({ a: 'done' });
    } finally {
      vi.useRealTimers();
    }
  });

  it('gives up what is left when it is closed', async () => {
    const { queue, push, outcomes, onTrouble } = queueOf(() => Promise.reject(lost()));
    push('a');
    await vi.waitFor(() => expect(onTrouble).toHaveBeenCalled(), { timeout: 20_000 });
    queue.close();
    push('b');
    await settled(outcomes, { a: 'gave-up', b: 'gave-up' });
  });
});

describe('a call that takes acks along', () => {
  const done: Send = async (items) => items.map(() => 'done');

  it('has them to itself, and says what became of them', async () => {
    const send = vi.fn(done);
    const { queue, push, outcomes } = queueOf(send, { willBeTaken: () => true });
    push('a', 'b', 'c');
    const batch = queue.take(2);
    expect(batch?.items).toEqual(['a', 'b']);
    batch?.succeed(['done', 'stale']);
    expect(outcomes).toEqual({ a: 'done', b: 'stale' });
    expect(queue.take(2)?.items).toEqual(['c']);
    expect(queue.take(2)).toBeNull();
    expect(send).not.toHaveBeenCalled();
  });

  it('that fails leaves them to the queue, which sends them by itself', async () => {
    const { queue, push, outcomes } = queueOf(done, { willBeTaken: () => true });
    push('a', 'b');
    queue.take(1)?.fail(lost());
    await settled(outcomes, { a: 'done', b: 'done' });
  });

  it('is not waited for when it is held up', async () => {
    const { push, outcomes } = queueOf(done, { willBeTaken: () => true });
    push('a');
    await settled(outcomes, { a: 'done' });
  });
});

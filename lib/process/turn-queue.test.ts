import { expect, it, vi } from 'vitest';
import { RoundRobin } from './round-robin';
import { TurnQueue } from './turn-queue';

const settled = () => new Promise(setImmediate);

/** Two places; each piece of work is open until the test ends it. */
function openTurns({ most = 2, waiting = 10, mayStart = (): boolean => true } = {}) {
  const order = new RoundRobin();
  const turns = new TurnQueue<string>(
    { most, waiting, waitMaxMs: 60_000 },
    {
      compare: (a, b) => order.compare(a, b),
      started: (owner) => order.started(owner),
      ended: (owner) => order.ended(owner),
      mayStart,
      refusal: (owner, theirs) => new Error(`${owner} has ${theirs}`),
    },
  );
  const open: { owner: string; end(): void }[] = [];
  const started: string[] = [];
  const run = (owner: string, signal?: AbortSignal) =>
    turns.run(
      owner,
      () => {
        started.push(owner);
        return new Promise<void>((end) => open.push({ owner, end }));
      },
      signal,
    );
  const endFirst = async () => {
    open.shift()?.end();
    await settled();
  };
  return { turns, run, started, endFirst };
}

it('gives turns to owners, not to requests', async () => {
  const { run, started, endFirst } = openTurns({ most: 1 });
  for (let i = 0; i < 5; i++) void run('many');
  for (const owner of ['a', 'b']) void run(owner);
  await settled();
  for (let i = 0; i < 6; i++) await endFirst();
  expect(started).toEqual(['many', 'a', 'b', 'many', 'many', 'many', 'many']);
});

it('whose signal aborts leaves the line, and never starts', async () => {
  const { turns, run, started, endFirst } = openTurns({ most: 1 });
  void run('a');
  await settled();
  const gone = new AbortController();
  const left = run('b', gone.signal);
  gone.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  expect(turns.waiting).toBe(0);
  await expect(run('c', gone.signal)).rejects.toThrow('left');
  await endFirst();
  expect(started).toEqual(['a']);
  expect(turns.running).toBe(0);
});

it('refuses the last in turn when too many wait, and who waits too long', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { turns, run } = openTurns({ most: 1, waiting: 2 });
    void run('many');
    const first = run('many').catch((error: Error) => error.message);
    const last = run('many').catch((error: Error) => error.message);
    const other = run('a').catch((error: Error) => error.message);
    expect(await last).toBe('many has 2');
    expect(turns.waiting).toBe(2);
    vi.advanceTimersByTime(60_000);
    expect([await first, await other]).toEqual(['many has 1', 'a has 1']);
  } finally {
    vi.useRealTimers();
  }
});

it('waits for its policy even where a place is free, and goes on when told', async () => {
  let may = false;
  const { turns, run, started } = openTurns({ mayStart: () => may });
  void run('a');
  void run('b');
  await settled();
  expect(started).toEqual([]);
  may = true;
  turns.startNext();
  await settled();
  expect(started).toEqual(['a', 'b']);
});

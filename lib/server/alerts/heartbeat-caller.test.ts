import { expect, it } from 'vitest';
import { AlertSendError } from './alert-send-error';
import { createHeartbeats } from './heartbeat-caller';

const channel = (name: string, everySeconds: number) => ({
  name,
  kind: 'heartbeat' as const,
  url: 'https://beat.example.com/',
  everySeconds,
});

it('calls each address when its time has come', async () => {
  const called: string[] = [];
  const beats = createHeartbeats(
    () => [channel('a', 60), channel('b', 20)],
    async ({ name }) => {
      called.push(name);
    },
  );
  const at = async (seconds: number) => {
    called.length = 0;
    await beats.callDue(seconds * 1_000);
    return [...called];
  };
  expect(await at(1_000)).toEqual(['a', 'b']);
  expect(await at(1_019)).toEqual([]);
  expect(await at(1_020)).toEqual(['b']);
  expect(await at(1_060)).toEqual(['a', 'b']);
  expect(await at(1_060)).toEqual([]);
});

it('tells what came of each call, and tries a failed one again soon', async () => {
  let isDown = true;
  const beats = createHeartbeats(
    () => [channel('a', 60)],
    async () => {
      if (isDown) throw new AlertSendError('beat.example.com answers with 500.');
    },
  );
  expect(await beats.callDue(0)).toEqual([
    { channel: 'a', at: 0, error: 'beat.example.com answers with 500.' },
  ]);
  expect(await beats.callDue(9_999)).toEqual([]);
  isDown = false;
  expect(await beats.callDue(10_000)).toEqual([{ channel: 'a', at: 10_000, error: null }]);
  expect(await beats.callDue(69_999)).toEqual([]);
  expect(await beats.callDue(70_000)).toHaveLength(1);
});

it('does not call an address again while a call is under way', async () => {
  let calls = 0;
  let finish = () => {};
  const beats = createHeartbeats(
    () => [channel('a', 60)],
    () => {
      calls += 1;
      return new Promise<void>((resolve) => {
        finish = resolve;
      });
    },
  );
  const first = beats.callDue(0);
  expect(await beats.callDue(5_000)).toEqual([]);
  finish();
  await first;
  expect(calls).toBe(1);
});

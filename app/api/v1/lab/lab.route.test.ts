/** What a console adds to the demo worker's lab: events of its queues, and the time at which the verdict noticed a drill. */
import { expect, test } from 'vitest';
import { labEventsSchema } from '@/lib/contract/lab/lab-schemas';
import type { Verdict } from '@/lib/contract/queues/queue-schemas';
import { openLab } from '@/lib/lab/open-lab';
import { setUpConsole } from '@/testing/worlds/console-server';
import { callApi } from '@/testing/worlds/route-caller';

const server = await setUpConsole();
const lab = openLab({ redis: server.redis.connect() });

const eventsAfter = async (after: string) =>
  labEventsSchema.parse((await callApi('GET', `/api/v1/lab/events?after=${encodeURIComponent(after)}`)).body);

test('events of the lab come once, those of other queues never', async () => {
  const { broker } = server;
  expect(await eventsAfter('')).toEqual({ events: [], next: ';;' });
  await broker.enqueue('critical', { jobId: 'a', jobType: 'email.send' });
  await broker.enqueue('mails', { jobId: 'b', jobType: 'email.send' });
  const first = await eventsAfter('');
  expect(first.events.map(({ queue, event, jobIds }) => [queue, event, jobIds])).toEqual([
    ['critical', 'ready', ['a']],
  ]);
  await broker.enqueue('low', { jobId: 'c', jobType: 'email.send' });
  const next = await eventsAfter(first.next);
  expect(next.events.map(({ queue, jobIds }) => [queue, jobIds])).toEqual([['low', ['c']]]);
  expect(await eventsAfter(next.next)).toEqual({ events: [], next: next.next });
  expect((await callApi('GET', '/api/v1/lab/events?after=first')).body).toMatchObject({ code: 'BAD_CURSOR' });
});

test('the first verdict that says what a drill does is marked in its score', async () => {
  const { createLabPlugIn } = await import('@/lib/server/lab/lab-plug-in');
  const verdict = (...ids: string[]) =>
    ({ findings: ids.map((id) => ({ id, level: 'warn', sentence: 'Stands.' })) }) as unknown as Verdict;
  const verdictAt = async () => (await lab.state()).drills[0]?.verdictAt;
  const plugIn = createLabPlugIn();
  await plugIn.onVerdict?.(verdict('OLD'), 1);
  await lab.startDrill('outage');
  await plugIn.onVerdict?.(verdict('OLD'), 2);
  expect(await verdictAt()).toBeNull();
  await plugIn.onVerdict?.(verdict('OLD', 'NEW'), 3);
  await plugIn.onVerdict?.(verdict('OLD', 'NEW'), 4);
  expect(await verdictAt()).toBe(3);
});

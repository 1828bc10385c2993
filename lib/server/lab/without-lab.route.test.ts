/** What live pages cost Redis and viewers where the lab is off: nothing of the lab. */
import { expect, expectTypeOf, test } from 'vitest';
import { type Frame, frameSchema } from '@/lib/contract/live/live-frame';
import { until } from '@/testing/poll';
import { setUpConsole } from '@/testing/worlds/console-server';

const server = await setUpConsole();
process.env.REDRIVE_LAB = 'off';

test('without the lab no command reads events of queues or keys of the lab', async () => {
  for (const queue of ['critical', 'default', 'mails', 'critical', 'default', 'mails'])
    await server.broker.enqueue(queue, { jobType: 'email.send' });
  const monitor = await server.redis.connect().monitor();
  const commands: string[][] = [];
  monitor.on('monitor', (_time: string, args: string[]) => commands.push(args));
  const { getSampler } = await import('../live/sampler');
  let readings = 0;
  const leave = getSampler().subscribe(() => {
    readings += 1;
  });
  await until(async () => readings >= 3, { what: 'three readings' });
  leave();
  monitor.disconnect();
  expect(commands.some((args) => args.some((arg) => arg.includes('{mails}')))).toBe(true);
  const readsOfEvents = commands.filter(([name, key]) => /^x/i.test(name ?? '') && key?.endsWith(':events'));
  // The history asks for the newest event, to see whether a queue had any since.
  expect(readsOfEvents.filter((args) => args.slice(2).join(' ') !== '+ - COUNT 1')).toEqual([]);
  expect(commands.filter((args) => args.some((arg) => arg.includes('{.lab}')))).toEqual([]);
});

test('frames have no field of the lab', () => {
  expectTypeOf<keyof Frame>().toEqualTypeOf<'overview' | 'watched' | 'workers' | 'operations'>();
  expect(Object.keys(frameSchema.shape).sort()).toEqual(['operations', 'overview', 'watched', 'workers']);
});

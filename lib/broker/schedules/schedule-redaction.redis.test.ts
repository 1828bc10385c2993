/** A schedule's payload goes to a form without what is hidden, and comes back from it: what is stored must not become what was shown. */
import { expect, it } from 'vitest';
import { MASK, MASK_TEXT } from '@/lib/contract/redaction';
import type { ScheduleRequest } from '@/lib/contract/schedules/schedule-schemas';
import { BY, setUpWorld } from '@/testing/worlds/world';
import { changeSchedule, createSchedule, shownSchedule } from '.';

const world = await setUpWorld();

const PAYLOAD = '{"report":"daily", "token":"t-1","n":9007199254740993}';
const SHOWN = PAYLOAD.replace('"t-1"', MASK_TEXT);
let ids = 0;
const request = (payload: string): ScheduleRequest => ({
  id: `s${++ids}`,
  queue: world.freshQueue(),
  timing: { everyMs: 60_000 },
  job: { jobType: 'demo', payload },
});
const stored = async (id: string) => (await world.broker.schedules.get(id)).schedule;

it('is shown without it, and keeps it when other fields are changed', async () => {
  const { id } = await createSchedule(world.broker, request(PAYLOAD), BY);
  const shown = await shownSchedule(world.broker, await stored(id));
  expect(shown.job.payload).toBe(SHOWN);
  await changeSchedule(world.broker, id, { job: { ...shown.job, priority: 7 } }, BY);
  expect((await stored(id)).job).toMatchObject({ priority: 7, payload: PAYLOAD });
  const { generation } = await stored(id);
  // Nothing else was changed: nothing is.
  await changeSchedule(world.broker, id, { job: { ...shown.job, priority: 7 } }, BY);
  expect(await stored(id)).toMatchObject({ generation });
});

it('is refused with what stands for it, and takes another value', async () => {
  const { id, job } = await createSchedule(world.broker, request(PAYLOAD), BY);
  const refused = { code: 'VALIDATION', fields: [{ field: 'job.payload' }] };
  const edited = SHOWN.replace('daily', 'weekly');
  await expect(
    changeSchedule(world.broker, id, { job: { ...job, payload: edited } }, BY),
  ).rejects.toMatchObject(refused);
  await expect(createSchedule(world.broker, request(SHOWN), BY)).rejects.toMatchObject(refused);
  expect((await stored(id)).job.payload).toBe(PAYLOAD);
  const anew = edited.replace(MASK, 't-2');
  await changeSchedule(world.broker, id, { job: { ...job, payload: anew } }, BY);
  expect((await stored(id)).job.payload).toBe(anew);
});

import { expect, it } from 'vitest';
import { saysMore } from './finding-weight';

type Said = Parameters<typeof saysMore>[0];
const said = (sentence: string, level: Said['level'] = 'warn', total = 1): Said => ({
  level,
  sentence,
  queues: { total, named: [] },
});

it.each([
  [said('71 worker crashes in 1 min.'), said('2 worker crashes in 1 min.')],
  [said('2 worker crashes in 1 min.', 'bad'), said('71 worker crashes in 1 min.')],
  [said('1,200 jobs wait in mail.'), said('999 jobs wait in mail.')],
  [
    said('60% of runs in q2 fail (objective: under 20%).'),
    said('21% of runs in q2 fail (objective: under 20%).'),
  ],
  [said('Runs fail in 3 queues: a, b, c.', 'bad', 3), said('Runs fail in 2 queues: a, b.', 'bad', 2)],
  [
    said('The oldest ready job in q9 has waited 20 m (objective: under 1 h).'),
    said('The oldest ready job in q9 has waited 3 m 59 s (objective: under 1 h).'),
  ],
  [said('mail has no worker, 430 jobs waiting.'), said('mail has no worker, 1 job waiting.')],
])('%j says more than %j', (more, less) => {
  expect([saysMore(more, less), saysMore(less, more)]).toEqual([true, false]);
});

it('the same does not say more', () => {
  const same = said('Redis cannot be reached.', 'bad', 0);
  expect(saysMore(same, same)).toBe(false);
});

import { expect, it } from 'vitest';
import type { CheckTopic, CheckVerdict } from '@/lib/contract/redis/redis-check-verdicts';
import { summarizeChecks } from './checks-summary';

const summaryOf = (...verdicts: CheckVerdict[]) => summaryOfTopic('server', ...verdicts);
const summaryOfTopic = (topic: CheckTopic, ...verdicts: CheckVerdict[]) =>
  summarizeChecks({
    servers: [
      {
        node: null,
        version: '8.0.0',
        checks: verdicts.map((verdict, i) => ({
          id: `${i}`,
          topic,
          title: `Check ${i}`,
          verdict,
          value: '',
          why: '',
          fix: null,
        })),
      },
    ],
  });

it('calls a Redis fit only when every check could be told', () => {
  expect(summaryOf('ok', 'ok')).toMatchObject({ tone: 'good', title: 'This Redis is fit for jobs' });
  expect(summaryOf('ok', 'warn')).toMatchObject({ tone: 'warn', title: 'This Redis is fit for jobs' });
  const title = 'No problem found, but 2 of 3 checks cannot be told';
  expect(summaryOf('ok', 'unknown', 'unknown')).toMatchObject({ tone: 'info', title });
  expect(summaryOf('warn', 'unknown', 'unknown')).toMatchObject({ tone: 'warn', title });
});

it('says first that something is bad', () => {
  const summary = summaryOf('bad', 'unknown');
  expect(summary).toMatchObject({ tone: 'bad', title: 'This Redis can lose jobs or lock workers out' });
  expect(summary.text).toContain('1 problem (Check 0), 1 check that this Redis user cannot make.');
  expect(summaryOfTopic('security', 'bad').title).toBe('Strangers may reach this Redis');
});

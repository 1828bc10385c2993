import { expect, it } from 'vitest';
import { silenceRequestSchema } from '@/lib/contract/alerts/alert-schemas';
import { checkSilenceForm, emptySilenceForm, type SilenceForm, toSilenceRequest } from './silence-form';

const form = (over: Partial<SilenceForm> = {}): SilenceForm => ({
  ...emptySilenceForm(),
  code: 'FAILING',
  reason: ' the bank is down ',
  ...over,
});
const issues = (over: Partial<SilenceForm>) =>
  silenceRequestSchema
    .safeParse(toSilenceRequest(form(over)))
    .error?.issues.map(({ path }) => path.join('.'));

it('asks for what was typed', () => {
  expect(toSilenceRequest(form({ queue: ' orders ' }))).toEqual({
    code: 'FAILING',
    queue: 'orders',
    reason: 'the bank is down',
    forMs: 3_600_000,
  });
  expect(toSilenceRequest(form({ period: 'custom', customMinutes: '1.5' })).forMs).toBe(90_000);
  expect(issues({})).toBeUndefined();
  expect(issues({ code: '' })).toEqual(['code']);
  expect(issues({ queue: 'or ders' })).toEqual(['queue']);
  expect(issues({ reason: ' ' })).toEqual(['reason']);
});

it('takes minutes within the limits only', () => {
  const problem = (customMinutes: string) => checkSilenceForm(form({ period: 'custom', customMinutes }));
  expect(problem('43200')).toEqual({});
  for (const minutes of ['43201', '0', '', 'soon'])
    expect(problem(minutes), minutes).toHaveProperty('customMinutes');
  expect(checkSilenceForm(form({ period: '60', customMinutes: 'soon' }))).toEqual({});
});

it('names the queue of an alert about one queue, and none of several', () => {
  const of = (...named: string[]) =>
    emptySilenceForm({ code: 'OLD', queues: { total: named.length, named } }).queue;
  expect(of('orders')).toBe('orders');
  expect(of('orders', 'mails')).toBe('');
  expect(of()).toBe('');
});

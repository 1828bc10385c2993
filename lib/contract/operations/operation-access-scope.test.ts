import { describe, expect, it } from 'vitest';
import { FULL_SCOPE, type QueueScope } from '../access/grant-scopes';
import { isOperationVisible, operationAccessScope } from './operation-access-scope';
import { previewRequestSchema, type Scope } from './operation-request';

const all = (queue: string): QueueScope => ({ queue, tenants: null });
const acme = (queue: string): QueueScope => ({ queue, tenants: ['acme'] });
const scope = (rest: Partial<Scope>): Scope => ({ state: 'dead', ...rest });

describe('where an operation works', () => {
  it('is everywhere, unless it says otherwise: its query is not read', () => {
    expect(operationAccessScope(scope({ q: 'queue:mail' }))).toEqual(FULL_SCOPE);
  });
  it('is the queue it names, or those of the jobs that were ticked', () => {
    expect(operationAccessScope(scope({ q: '', queue: 'mail' }))).toEqual([all('mail')]);
    const jobs = ['mail', 'pay', 'mail'].map((queue, i) => ({ queue, jobId: `j${i}` }));
    expect(operationAccessScope(scope({ jobs }))).toEqual([all('mail'), all('pay')]);
  });
  it('is no more than what its starter could touch', () => {
    expect(operationAccessScope(scope({ q: '', within: [acme('ma*')] }))).toEqual([acme('ma*')]);
    expect(operationAccessScope(scope({ q: '', queue: 'mail', within: [acme('ma*'), all('pay')] }))).toEqual([
      acme('mail'),
    ]);
  });
});

describe('an operation is seen', () => {
  const mine = { scope: scope({ q: '', within: [acme('mail')] }), target: null };
  it('by who sees all it works on', () => {
    expect(isOperationVisible(mine, [acme('mail')])).toBe(true);
    expect(isOperationVisible(mine, [all('m*')])).toBe(true);
    expect(isOperationVisible(mine, [{ queue: '*', tenants: ['other', 'acme'] }])).toBe(true);
  });
  it('by nobody else', () => {
    expect(isOperationVisible(mine, [{ queue: 'mail', tenants: ['other'] }])).toBe(false);
    expect(isOperationVisible(mine, [all('mailer')])).toBe(false);
    expect(isOperationVisible(mine, [])).toBe(false);
    expect(isOperationVisible({ scope: scope({ q: 'queue:mail' }), target: null }, [all('mail')])).toBe(
      false,
    );
  });
  it('that may touch nothing by who sees everything alone', () => {
    const nothing = { scope: scope({ q: '', within: [] }), target: null };
    expect(isOperationVisible(nothing, [acme('mail')])).toBe(false);
    expect(isOperationVisible(nothing, FULL_SCOPE)).toBe(true);
  });
  it('and only with the queue it moves jobs to', () => {
    const move = { ...mine, target: 'pay' };
    expect(isOperationVisible(move, [acme('mail')])).toBe(false);
    expect(isOperationVisible(move, [acme('mail'), acme('pay')])).toBe(true);
  });
});

it('no request may say where it is let look: that is for the server', () => {
  const asked = { kind: 'purge', scope: { q: '', within: FULL_SCOPE } };
  expect(previewRequestSchema.safeParse(asked).success).toBe(false);
  expect(previewRequestSchema.safeParse({ kind: 'purge', scope: { q: '' } }).success).toBe(true);
});

import { describe, expect, it } from 'vitest';
import { areasOfScope, visibleTo } from './operation-areas';
import { previewRequestSchema, type Scope } from './operations';
import { type Area, EVERYWHERE } from './permissions';

const all = (queue: string): Area => ({ queue, tenants: null });
const acme = (queue: string): Area => ({ queue, tenants: ['acme'] });
const scope = (rest: Partial<Scope>): Scope => ({ state: 'dead', ...rest });

describe('where an operation works', () => {
  it('is everywhere, unless it says otherwise: its query is not read', () => {
    expect(areasOfScope(scope({ q: 'queue:mail' }))).toEqual(EVERYWHERE);
  });
  it('is the queue it names, or those of the jobs that were ticked', () => {
    expect(areasOfScope(scope({ q: '', queue: 'mail' }))).toEqual([all('mail')]);
    const jobs = ['mail', 'pay', 'mail'].map((queue, i) => ({ queue, jobId: `j${i}` }));
    expect(areasOfScope(scope({ jobs }))).toEqual([all('mail'), all('pay')]);
  });
  it('is no more than what its starter could touch', () => {
    expect(areasOfScope(scope({ q: '', within: [acme('ma*')] }))).toEqual([acme('ma*')]);
    expect(areasOfScope(scope({ q: '', queue: 'mail', within: [acme('ma*'), all('pay')] }))).toEqual([
      acme('mail'),
    ]);
  });
});

describe('an operation is seen', () => {
  const mine = { scope: scope({ q: '', within: [acme('mail')] }), target: null };
  it('by who sees all it works on', () => {
    expect(visibleTo(mine, [acme('mail')])).toBe(true);
    expect(visibleTo(mine, [all('m*')])).toBe(true);
    expect(visibleTo(mine, [{ queue: '*', tenants: ['other', 'acme'] }])).toBe(true);
  });
  it('by nobody else', () => {
    expect(visibleTo(mine, [{ queue: 'mail', tenants: ['other'] }])).toBe(false);
    expect(visibleTo(mine, [all('mailer')])).toBe(false);
    expect(visibleTo(mine, [])).toBe(false);
    expect(visibleTo({ scope: scope({ q: 'queue:mail' }), target: null }, [all('mail')])).toBe(false);
  });
  it('that may touch nothing by who sees everything alone', () => {
    const nothing = { scope: scope({ q: '', within: [] }), target: null };
    expect(visibleTo(nothing, [acme('mail')])).toBe(false);
    expect(visibleTo(nothing, EVERYWHERE)).toBe(true);
  });
  it('and only with the queue it moves jobs to', () => {
    const move = { ...mine, target: 'pay' };
    expect(visibleTo(move, [acme('mail')])).toBe(false);
    expect(visibleTo(move, [acme('mail'), acme('pay')])).toBe(true);
  });
});

it('no request may say where it is let look: that is for the server', () => {
  const asked = { kind: 'purge', scope: { q: '', within: EVERYWHERE } };
  expect(previewRequestSchema.safeParse(asked).success).toBe(false);
  expect(previewRequestSchema.safeParse({ kind: 'purge', scope: { q: '' } }).success).toBe(true);
});

import { describe, expect, it } from 'vitest';
import type { Grant } from '@/lib/contract/access/grant-scopes';
import { firstMissingPermission, type GrantRow, newGrantRow, readGrants, toGrantRows } from './grants-draft';

const row = (change: Partial<GrantRow>): GrantRow => ({ ...newGrantRow('viewer'), ...change });
const ACME: Grant = { role: 'operator', queues: ['billing-*', 'mail'], tenants: ['acme', 'globex'] };

describe('grants that are typed', () => {
  it('come back as they were', () => {
    const grants: Grant[] = [{ role: 'admin', queues: ['*'], tenants: null }, ACME];
    expect(readGrants(toGrantRows(grants))).toEqual({ ok: true, grants });
  });
  it('take commas, spaces and lines between names, and each name once', () => {
    expect(readGrants([row({ queues: ' a, b\nb  c* ', tenants: 'acme,acme' })])).toEqual({
      ok: true,
      grants: [{ role: 'viewer', queues: ['a', 'b', 'c*'], tenants: ['acme'] }],
    });
  });
  it('say which name of which row cannot be', () => {
    const [good, bad] = [row({}), row({ queues: 'a, {b}', tenants: '*' })];
    const read = readGrants([good, bad]);
    if (read.ok) throw new Error('it was taken');
    expect([...read.problems.keys()]).toEqual([bad.key]);
    expect(read.problems.get(bad.key)?.queues).toContain('"{b}" must be a queue name');
    expect(read.problems.get(bad.key)?.tenants).toContain('"*"');
  });
  it('are not without bound', () => {
    expect(readGrants(Array.from({ length: 21 }, () => row({})))).toMatchObject({
      ok: false,
      sentence: expect.stringContaining('At most 20'),
    });
  });
});

describe('what a token would have beyond its owner', () => {
  it.each([
    [[ACME], [{ ...ACME, queues: ['billing-eu'] }], null],
    [[ACME], [{ ...ACME, role: 'viewer' as const, tenants: null }], 'view'],
    [[ACME], [{ ...ACME, queues: ['*'] }], 'view'],
    [[ACME], [{ ...ACME, role: 'worker' as const }], 'work'],
    [[], [ACME], 'view'],
  ] as [Grant[], Grant[], string | null][])('%j, %j: %s', (mine, grants, lacking) => {
    expect(firstMissingPermission(mine, grants)).toBe(lacking);
  });
});

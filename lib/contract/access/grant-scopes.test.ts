import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { grantSchema, queuePatternSchema } from './grant-schemas';
import {
  type AccessScope,
  ADMIN_GRANTS,
  FULL_SCOPE,
  type Grant,
  intersectScopes,
  isFullScope,
  matchesQueuePattern,
  PERMISSIONS,
  type QueueScope,
  ROLE_NAMES,
  ROLES,
  scopeCovers,
  scopeHasJob,
  scopeHasQueue,
  scopeOfPermission,
  scopeReachesQueue,
} from './grant-scopes';

/** Few letters, so that patterns meet. */
const name = fc
  .string({ unit: fc.constantFrom('a', 'b', '.'), minLength: 1, maxLength: 4 })
  .map((s) => `q${s}`);
const pattern = fc.oneof(
  name,
  name.map((text) => `${text}*`),
  fc.constant('*'),
);
const tenant = fc.constantFrom('acme', 'beta', 'core');
const area: fc.Arbitrary<QueueScope> = fc.record({
  queue: pattern,
  tenants: fc.option(fc.uniqueArray(tenant, { minLength: 1, maxLength: 3 }), { nil: null }),
});
const within: fc.Arbitrary<AccessScope> = fc.array(area, { maxLength: 5 });
const grant: fc.Arbitrary<Grant> = fc.record({
  role: fc.constantFrom(...ROLE_NAMES),
  queues: fc.array(pattern, { minLength: 1, maxLength: 3 }),
  tenants: fc.option(fc.uniqueArray(tenant, { minLength: 1, maxLength: 3 }), { nil: null }),
});

describe('queue patterns', () => {
  it('are exact names, or beginnings followed by one star', () => {
    for (const good of ['*', 'email', 'billing-*', 'a.b_c*', 'a*'])
      expect(queuePatternSchema.safeParse(good).success, good).toBe(true);
    for (const bad of ['', '**', '*a', 'a*b', 'a**', '.*', 'a|b', '^a', 'a{', 'a b', 'a\n', 'a?', '[ab]*'])
      expect(queuePatternSchema.safeParse(bad).success, bad).toBe(false);
  });

  // Flower's allow-list was an expression without an end: attacker@example.com.attacker.com got in.
  it('fit from the first letter to the last', () => {
    expect(matchesQueuePattern('email', 'email')).toBe(true);
    expect(matchesQueuePattern('email', 'email2')).toBe(false);
    expect(matchesQueuePattern('email', 'xemail')).toBe(false);
    expect(matchesQueuePattern('a.c', 'abc')).toBe(false);
    expect(matchesQueuePattern('email*', 'email')).toBe(true);
    expect(matchesQueuePattern('email*', 'email.eu')).toBe(true);
    expect(matchesQueuePattern('email*', 'xemail')).toBe(false);
    expect(matchesQueuePattern('a.*', 'abc')).toBe(false);
  });
});

describe('roles', () => {
  it('grow: whoever may do more may also do the less', () => {
    const has = (role: keyof typeof ROLES) => new Set<string>(ROLES[role]);
    expect([...has('viewer')].every((permission) => has('operator').has(permission))).toBe(true);
    expect([...has('operator')].every((permission) => has('admin').has(permission))).toBe(true);
    expect(has('admin').size).toBe(PERMISSIONS.length);
    expect(has('operator').has('access')).toBe(false);
    expect(has('viewer').has('unmask')).toBe(false);
  });

  it('take defaults that are written out, and refuse what is no field', () => {
    expect(grantSchema.parse({ role: 'viewer' })).toEqual({ role: 'viewer', queues: ['*'], tenants: null });
    for (const bad of [
      { role: 'root' },
      { role: 'viewer', queues: [] },
      { role: 'viewer', tenants: [] },
      { role: 'viewer', queue: 'a' },
      { role: 'viewer', queues: ['a', '*b'] },
    ])
      expect(grantSchema.safeParse(bad).success, JSON.stringify(bad)).toBe(false);
  });
});

describe('where a permission holds', () => {
  it('is where one of the grants that has it says: the same as asking each grant', () => {
    fc.assert(
      fc.property(
        fc.array(grant, { maxLength: 5 }),
        fc.constantFrom(...PERMISSIONS),
        name,
        tenant,
        (grants, permission, queue, of) => {
          const areas = scopeOfPermission(grants, permission);
          const holding = grants.filter(({ role }) =>
            (ROLES[role] as readonly string[]).includes(permission),
          );
          const here = holding.filter(({ queues }) => queues.some((one) => matchesQueuePattern(one, queue)));
          expect(scopeHasJob(areas, queue, of)).toBe(
            here.some(({ tenants }) => tenants === null || tenants.includes(of)),
          );
          expect(scopeHasQueue(areas, queue)).toBe(here.some(({ tenants }) => tenants === null));
          expect(scopeReachesQueue(areas, queue)).toBe(here.length > 0);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('is everywhere for whoever has everything, and nowhere without grants', () => {
    for (const permission of PERMISSIONS) {
      expect(isFullScope(scopeOfPermission(ADMIN_GRANTS, permission))).toBe(true);
      expect(scopeOfPermission([], permission)).toEqual([]);
    }
    expect(isFullScope([{ queue: '*', tenants: ['acme'] }])).toBe(false);
    expect(isFullScope([{ queue: 'a*', tenants: null }])).toBe(false);
  });

  it('in both of two is where each has it', () => {
    fc.assert(
      fc.property(within, within, name, tenant, (one, other, queue, of) => {
        const both = intersectScopes(one, other);
        expect(scopeHasJob(both, queue, of)).toBe(
          scopeHasJob(one, queue, of) && scopeHasJob(other, queue, of),
        );
        expect(scopeHasQueue(both, queue)).toBe(scopeHasQueue(one, queue) && scopeHasQueue(other, queue));
      }),
      { numRuns: 2_000 },
    );
  });

  it('covers only what it holds, and always itself', () => {
    fc.assert(
      fc.property(within, within, name, tenant, (outer, inner, queue, of) => {
        expect(scopeCovers(outer, outer)).toBe(true);
        expect(scopeCovers(FULL_SCOPE, inner)).toBe(true);
        if (scopeCovers(outer, inner) && scopeHasJob(inner, queue, of))
          expect(scopeHasJob(outer, queue, of)).toBe(true);
        expect(scopeCovers(outer, intersectScopes(outer, inner))).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});

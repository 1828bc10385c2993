/** Shares leave room for others, and a refusal says what it should. */
import { expect, it } from 'vitest';
import { describeQuotaRefusal, QUOTAS, type Quota, type QuotaOwner, quotaRequest } from './quotas';

const rows = Object.values(QUOTAS) as Quota[];
const tina: QuotaOwner = { id: 'local:tina', name: 'tina', tenants: ['t1'], isAdmin: false, seesAll: false };

it('M6: no user and no tenant holds all of anything, and there is a reserve', () => {
  for (const { total: whole, perUser, perTenant, reserve } of rows) {
    expect(perUser).toBeLessThanOrEqual(whole / 4);
    expect(perTenant).toBeLessThanOrEqual(whole / 2);
    expect(reserve).toBeGreaterThan(0);
  }
});

it('M6: an administrator keeps to no share but that of personal things', () => {
  const admin = { ...tina, isAdmin: true, tenants: [] };
  expect(quotaRequest('operations', admin)).toMatchObject({ total: 110, perUser: 0, perTenant: 0 });
  expect(quotaRequest('tokens', admin)).toMatchObject({ total: 5_100, perUser: 50, perTenant: 0 });
  expect(quotaRequest('operations', undefined)).toMatchObject({ total: 100, perUser: 0, ownerId: 'library' });
  const many = Array.from({ length: 80 }, (_, i) => `t${String(i).padStart(2, '0')}`).reverse();
  expect(quotaRequest('pauses', { ...tina, tenants: many }).tenants).toHaveLength(50);
});

it('M6: a refusal names others only where they are given', () => {
  const others = [{ name: 'tom', count: 30 }];
  expect(describeQuotaRefusal('operations', 'user', { all: 60, own: 25, others }).detail).toBe(
    'You hold 25 open operations; one user may hold 25 of 100. Held now: you 25, tom 30, others 5. Cancel some or let them end, then start this one.',
  );
  expect(describeQuotaRefusal('operations', 'tenant t1', { all: 60, own: 25, others: null }).detail).toBe(
    'The users of tenant t1 hold 50 open operations; the users of one tenant may hold 50 of 100. Held now: you 25, others 35. Cancel some or let them end, then start this one.',
  );
});

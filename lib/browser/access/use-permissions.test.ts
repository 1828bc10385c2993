import { describe, expect, it } from 'vitest';
import { type Grant, scopeOfPermission } from '@/lib/contract/access/grant-scopes';
import { missingPermissionMessage, offerOf, seesWholeQueues } from './use-permissions';

const grants: Grant[] = [
  { role: 'operator', queues: ['billing-*'], tenants: null },
  { role: 'viewer', queues: ['mail'], tenants: ['acme'] },
];
const offer = (permission: 'view' | 'operate' | 'audit', queue?: string, tenant?: string) =>
  offerOf(scopeOfPermission(grants, permission), permission, queue, tenant);

describe('an offer', () => {
  it('is made where it holds', () => {
    expect(offer('operate')).toEqual({ shown: true, missing: null });
    expect(offer('operate', 'billing-eu')).toEqual({ shown: true, missing: null });
    expect(offer('operate', 'billing-eu', 'globex')).toEqual({ shown: true, missing: null });
    expect(offer('view', 'mail', 'acme')).toEqual({ shown: true, missing: null });
  });

  it('is shown with its reason where it holds only elsewhere', () => {
    expect(offer('operate', 'mail')).toEqual({
      shown: true,
      missing: missingPermissionMessage('operate', 'mail'),
    });
    expect(offer('operate', 'mail', 'acme').missing).toContain('for jobs of acme in mail');
    // Some tenants of a queue are not the queue.
    expect(offer('view', 'mail').missing).toContain('for the whole queue mail');
    expect(offer('view', 'mail', 'globex').missing).toContain('for jobs of globex in mail');
  });

  it('is not made where it holds nowhere', () => {
    expect(offer('audit')).toEqual({ shown: false, missing: missingPermissionMessage('audit') });
    expect(offerOf([], 'view', 'mail').shown).toBe(false);
  });
});

describe('seesWholeQueues', () => {
  it('tells who has counts to see from who sees some tenants only', () => {
    expect(seesWholeQueues({ grants })).toBe(true);
    expect(seesWholeQueues({ grants: grants.slice(1) })).toBe(false);
    // To enqueue everywhere is to see nothing.
    expect(seesWholeQueues({ grants: [{ role: 'producer', queues: ['*'], tenants: null }] })).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { groupTitle } from '@/components/shared/group-title';
import { collapsedGroupsLabel, isCollapsed, tenantsLabel, trendLabel, versionsLabel } from './labels';

const values = (...names: string[]) => names.map((value) => ({ value, count: 1 }));

describe('a failure group in words', () => {
  it('is called by its name, else by its message, else by its code', () => {
    expect(groupTitle({ name: 'Stripe is down', message: 'connect timeout', code: 'X' })).toBe(
      'Stripe is down',
    );
    expect(groupTitle({ name: null, message: 'connect timeout', code: 'X' })).toBe('connect timeout');
    expect(groupTitle({ name: null, message: null, code: 'X' })).toBe('X');
  });
  it('names two tenants and counts the others', () => {
    expect(tenantsLabel({ tenants: values('acme'), tenantCount: 1 })).toBe('acme');
    expect(tenantsLabel({ tenants: values('acme', 'globex'), tenantCount: 2 })).toBe('acme and globex');
    expect(tenantsLabel({ tenants: values('a', 'b', 'c'), tenantCount: 1_502 })).toBe('a, b and 1,500 more');
    expect(tenantsLabel({ tenants: [], tenantCount: 0 })).toBe('');
  });
  it('says how it goes', () => {
    expect(trendLabel({ trend: [...Array(23).fill(10), 1], lastHour: null })).toBe(
      '1 death this hour, 231 in 24 h',
    );
    expect(versionsLabel({ versions: values('1', '2') })).toBe('v1, v2');
  });
  it('collapses resolved and muted groups, and not reopened ones', () => {
    expect(isCollapsed({ status: 'reopened' })).toBe(false);
    expect(isCollapsed({ status: 'muted' })).toBe(true);
    expect(collapsedGroupsLabel([{ status: 'muted' }, { status: 'resolved' }, { status: 'muted' }])).toBe(
      '1 resolved, 2 muted',
    );
    expect(collapsedGroupsLabel([{ status: 'muted' }])).toBe('1 muted');
  });
});

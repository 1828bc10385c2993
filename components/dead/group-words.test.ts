import { describe, expect, it } from 'vitest';
import { attendedWords, isAttended, tenantWords, titleOf, trendWords, versionWords } from './group-words';

const values = (...names: string[]) => names.map((value) => ({ value, count: 1 }));

describe('a failure group in words', () => {
  it('is called by its name, else by its message, else by its code', () => {
    expect(titleOf({ name: 'Stripe is down', message: 'connect timeout', code: 'X' })).toBe('Stripe is down');
    expect(titleOf({ name: null, message: 'connect timeout', code: 'X' })).toBe('connect timeout');
    expect(titleOf({ name: null, message: null, code: 'X' })).toBe('X');
  });
  it('names two tenants and counts the others', () => {
    expect(tenantWords({ tenants: values('acme'), tenantCount: 1 })).toBe('acme');
    expect(tenantWords({ tenants: values('acme', 'globex'), tenantCount: 2 })).toBe('acme and globex');
    expect(tenantWords({ tenants: values('a', 'b', 'c'), tenantCount: 1_502 })).toBe('a, b and 1,500 more');
    expect(tenantWords({ tenants: [], tenantCount: 0 })).toBe('');
  });
  it('says how it goes', () => {
    expect(trendWords([...Array(23).fill(10), 1])).toBe('1 death this hour, 231 in 24 h');
    expect(versionWords({ versions: values('1', '2') })).toBe('v1, v2');
  });
  it('folds away what somebody attended to, and not what came back', () => {
    expect(isAttended({ status: 'reopened' })).toBe(false);
    expect(isAttended({ status: 'muted' })).toBe(true);
    expect(attendedWords([{ status: 'muted' }, { status: 'resolved' }, { status: 'muted' }])).toBe(
      '1 resolved, 2 muted',
    );
    expect(attendedWords([{ status: 'muted' }])).toBe('1 muted');
  });
});

import { describe, expect, it } from 'vitest';
import { describeGrants } from './access-labels';

describe('describeGrants', () => {
  it('says the role alone where it holds everywhere', () => {
    expect(describeGrants([{ role: 'admin', queues: ['*'], tenants: null }])).toBe('admin');
    expect(describeGrants([])).toBe('none');
  });
  it('says where it holds otherwise, in a few words', () => {
    expect(
      describeGrants([
        { role: 'operator', queues: ['billing-*'], tenants: null },
        { role: 'viewer', queues: ['*'], tenants: ['acme', 'globex'] },
        { role: 'viewer', queues: ['a', 'b', 'c', 'd'], tenants: ['acme'] },
      ]),
    ).toBe('operator of billing-*; viewer, tenants acme, globex; viewer of 4 queues, tenant acme');
  });
});

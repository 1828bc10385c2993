/** No script records an audit event that nobody pays for: the table names each, and says when a call of it records. */
import { describe, expect, it } from 'vitest';
import { SCRIPTS, type ScriptName } from '../../lua.generated';
import { type AuditPurse, withPurse } from './audit-purse';
import { AUDITED, paidCall } from './audited-scripts';

const recording = (Object.keys(SCRIPTS) as ScriptName[]).filter((name) =>
  /audit_event[._]add\(/.test(SCRIPTS[name].lua),
);

describe('scripts that record an audit event', () => {
  it('are all in the table, and no others: a new one needs a rule, or a reason why its event has another bound', () => {
    expect(recording.length).toBeGreaterThan(30);
    expect(Object.keys(AUDITED).sort()).toEqual([...recording].sort());
  });

  it('each have one stream in which the event waits', () => {
    for (const name of recording)
      expect(
        SCRIPTS[name].keys.filter((key) => /^audit$|Audit$/.test(key)),
        name,
      ).toHaveLength(1);
  });

  it('are found by that stream, shard by shard; without a purse nobody pays', async () => {
    const purse: AuditPurse = {
      ahead: async () => undefined,
      before: async () => undefined,
      later: async () => undefined,
      unused: () => undefined,
      isClosed: false,
    };
    const keys = SCRIPTS.pause.keys.map((key) => `rd:{mail#3}:${key}`);
    const args = ['', 'queue', 0, '{}', ''];
    await withPurse(purse, async () => {
      expect(paidCall('pause', keys, args)).toMatchObject({ source: 'mail#3', folds: false });
      expect(paidCall('claim', keys, args)).toBeNull();
    });
    expect(paidCall('pause', keys, args)).toBeNull();
    await withPurse({ ...purse, isClosed: true }, async () => {
      expect(paidCall('pause', keys, args)).toBeNull();
    });
  });
});

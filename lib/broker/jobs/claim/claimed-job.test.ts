import { expect, it, vi } from 'vitest';
import type { EnqueueJob } from '@/lib/contract/jobs/envelope';
import { decodeRow, encodeRow } from '../job-row';
import { claimedRows, StoredJob } from './claimed-job';

const USUAL: EnqueueJob = {
  jobId: 'j-1',
  jobType: 'mail.send',
  jobVersion: 3,
  tenantId: 'acme',
  priority: -7,
  maxAttempts: 11,
  timeoutMs: 4_321,
  payload: '{"name":"Zoë"}\n\n',
  critical: true,
};
const FULL: EnqueueJob = {
  ...USUAL,
  deadline: 1_700_000_000_001,
  unique: { key: 'order:1', ttlMs: 9_999, scope: 'window' },
  idempotencyKey: 'kö-1',
  correlationId: 'c-1',
  payload: Buffer.from([0, 10, 255, 128]),
};
/** Among other rows, as a claim's reply has it. */
function storedJob(row: string | Buffer): StoredJob {
  const other = Buffer.from('1 0 8 0 0 other 1 other\n{"at":7}\n');
  const [start, end] = [other.length, other.length + Buffer.from(row).length];
  const rows = claimedRows(Buffer.concat([other, Buffer.from(row), other]));
  return new StoredJob(
    { queue: 'q', shardName: undefined, leaseUntil: 9 },
    'j-1',
    '1-abcdefgh',
    1,
    1,
    0,
    rows,
    start,
    end,
  );
}

it.each([
  ['a usual job', USUAL],
  ['a job with everything', FULL],
  ['a job without a payload', { ...USUAL, payload: '' }],
])('reads %s as its row says', (_, job) => {
  const row = Buffer.from(encodeRow(job, 1_234));
  const { envelope, payload } = decodeRow('j-1', row);
  const claimed = storedJob(row);
  expect(claimed.isReadable).toBe(true);
  const decoded = vi.spyOn(claimed, 'envelope', 'get');
  expect(claimed).toMatchObject({ createdAt: 1_234, jobType: 'mail.send', jobVersion: 3, tenantId: 'acme' });
  expect(claimed.timeoutMs).toBe(4_321);
  // Every completed job asks for these.
  if (job !== FULL) expect(decoded).not.toHaveBeenCalled();
  decoded.mockRestore();
  expect(claimed.envelope).toEqual(envelope);
  expect(claimed.payload).toEqual(payload);
});

it('tells apart jobs of one reply whose heads begin alike', () => {
  const tenants = ['acme', 'acme', 'acme2', 'acme'];
  const heads = tenants.map((tenant) => `1 0 8 0 0 mail 1 ${tenant}\n{"at":7}\n`);
  const rows = claimedRows(Buffer.from(heads.join('')));
  const origin = { queue: 'q', shardName: undefined, leaseUntil: 9 };
  let end = 0;
  const jobs = heads.map((head) => {
    const start = end;
    end += head.length;
    return new StoredJob(origin, 'j', '1-abcdefgh', 1, 1, 0, rows, start, end);
  });
  expect(jobs.map(({ tenantId }) => tenantId)).toEqual(tenants);
});

it('has the payload as text where it is ASCII', () => {
  expect(storedJob(encodeRow({ ...USUAL, payload: '{"a":"b"}' }, 1)).payloadText).toBe('{"a":"b"}');
  expect(storedJob(encodeRow(USUAL, 1)).payloadText).toBeUndefined();
});

it.each([
  ['no row', ''],
  ['one line', '1 0 8 0 0 a 1 b'],
  ['another version', '2 0 8 0 0 a 1 b\n{"at":1}\n'],
  ['a field too many', '1 0 8 0 0 a 1 b c d\n{"at":1}\n'],
  ['broken JSON', '1 0 8 0 0 a 1 b\n{"at":1,\n'],
  ['JSON without its time', '1 0 8 0 0 a 1 b\n{"key":"k"}\n'],
])('says that it cannot read %s', (_, row) => {
  expect(decodeRow('j-1', Buffer.from(row)).envelope).toBeNull();
  const claimed = storedJob(row);
  expect(claimed.isReadable).toBe(false);
  expect(() => claimed.envelope).toThrow('cannot be read');
});

import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { RedriveError } from '@/lib/contract/redrive-error';
import { ScriptSize } from '../operations/kinds/script-size';
import { backOff, type ShardState } from '../operations/runner/runner-state';
import { toRedriveError, unavailableError, withoutAddresses } from './redis-errors';

describe('what Redis and its client say', () => {
  it.each([
    ['OOM command not allowed when used memory > maxmemory.', 'REDIS_FULL', /memory limit/],
    [
      'LOADING Redis is loading the dataset in memory',
      'REDIS_UNAVAILABLE',
      /\(LOADING\).*Nothing was changed/,
    ],
    ['BUSY Redis is busy running a script.', 'REDIS_UNAVAILABLE', /\(BUSY\)/],
    ["READONLY You can't write against a read only replica.", 'REDIS_UNAVAILABLE', /\(READONLY\)/],
    ['-READONLY You can’t', 'REDIS_UNAVAILABLE', /\(READONLY\)/],
    ['MISCONF Redis is configured to save RDB snapshots', 'REDIS_UNAVAILABLE', /\(MISCONF\)/],
    ['CLUSTERDOWN The cluster is down', 'REDIS_UNAVAILABLE', /\(CLUSTERDOWN\)/],
    ['MASTERDOWN Link with MASTER is down', 'REDIS_UNAVAILABLE', /\(MASTERDOWN\)/],
    ['NOREPLICAS Not enough good replicas to write.', 'REDIS_UNAVAILABLE', /\(NOREPLICAS\)/],
    [
      'Too many Cluster redirections. Last error: ReplyError: TRYAGAIN x',
      'REDIS_UNAVAILABLE',
      /\(TRYAGAIN\)/,
    ],
    [
      'Too many Cluster redirections. Last error: ReplyError: MOVED 1 x:1',
      'REDIS_UNAVAILABLE',
      /\(TRYAGAIN\)/,
    ],
    ['MOVED 866 127.0.0.1:7001', 'REDIS_UNAVAILABLE', /\(MOVED\).*redis\+cluster/],
    ['ASK 866 127.0.0.1:7001', 'REDIS_UNAVAILABLE', /\(ASK\)/],
    ['NOAUTH Authentication required.', 'REDIS_UNAVAILABLE', /\(NOAUTH\)/],
    ['WRONGPASS invalid username-password pair', 'REDIS_UNAVAILABLE', /\(WRONGPASS\)/],
    ["NOPERM this user has no permissions to run the 'set' command", 'REDIS_UNAVAILABLE', /\(NOPERM\)/],
    ["ERR The user executing the script can't run this command", 'REDIS_UNAVAILABLE', /\(NOPERM\)/],
    ['Command timed out', 'UNKNOWN_OUTCOME', /may or may not/],
    ['Connection is closed.', 'UNKNOWN_OUTCOME', /may or may not/],
    ['Reached the max retries per request limit (which is 0).', 'UNKNOWN_OUTCOME', /may or may not/],
    ['read ECONNRESET', 'UNKNOWN_OUTCOME', /may or may not/],
    ['Failed to refresh slots cache.', 'REDIS_UNAVAILABLE', /no node of the Cluster/],
    ['All sentinels are unreachable. Retrying', 'REDIS_UNAVAILABLE', /no Sentinel/],
  ])('%s: %s', (message, code, words) => {
    expect(toRedriveError(new Error(message))).toMatchObject({ code, message: expect.stringMatching(words) });
  });

  it('leaves alone what is ours already, and what it does not know', () => {
    const ours = new RedriveError('VALIDATION', 'no');
    expect(toRedriveError(ours)).toBe(ours);
    expect(toRedriveError(new Error('WRONGTYPE Operation against a key'))).not.toBeInstanceOf(RedriveError);
    expect(toRedriveError('text')).toMatchObject({ message: 'text' });
  });

  it('keeps nothing of the command an error hangs on', () => {
    const error = Object.assign(new Error('NOAUTH x'), {
      command: { name: 'auth', args: ['ann', 'hunter2'] },
    });
    for (const clean of [toRedriveError(error), unavailableError(error.message)])
      expect(inspect(clean, { depth: 9 })).not.toContain('hunter2');
  });

  it.each([
    ['connect ECONNREFUSED 10.0.0.1:6379', /nothing listens at 10\.0\.0\.1:6379/],
    ['ERR max number of clients reached', /raise maxclients/],
    ['self-signed certificate in certificate chain', /tls\.caFile/],
    ['certificate has expired', /\(certificate has expired\); renew it/],
    ['certificate is not yet valid', /compare the clocks/],
    ['unable to verify the first certificate', /tls\.caFile/],
    ["Hostname/IP does not match certificate's altnames: x", /tls\.servername\. Nothing/],
    ['unsuitable certificate purpose', /serverAuth/],
    ['certificate has another fault', /not accepted \(certificate has another fault\)\. Nothing/],
    ['error:0A00045C:SSL routines::tlsv13 alert certificate required', /tls\.certFile and tls\.keyFile/],
    ['error:0A00042E:SSL routines::tlsv1 alert protocol version', /TLS 1\.2 or newer/],
    ['', /^Redis cannot be reached\. Nothing was changed/],
  ])('%s says why there is no connection', (message, words) => {
    expect(unavailableError(message)).toMatchObject({
      code: 'REDIS_UNAVAILABLE',
      message: expect.stringMatching(words),
    });
  });
});

describe('where Redis is', () => {
  it.each([
    unavailableError('connect ECONNREFUSED 10.0.0.5:6379'),
    unavailableError('connect ECONNREFUSED ::1:6379'),
    unavailableError("Hostname/IP does not match certificate's altnames: redis-7.internal"),
    toRedriveError(new Error('getaddrinfo ENOTFOUND redis-7.internal')),
    new Error('connect ECONNREFUSED redis-7.internal:6379'),
    new Error('connect ETIMEDOUT 10.0.0.5:6379'),
    'read from [fe80::1]:6379 failed',
  ])('L6: %s: is not said in answers, nor kept in the record of an operation', (error) => {
    const state: ShardState = {
      shard: { queue: 'mail', shard: 0, name: 'mail' },
      scriptSize: new ScriptSize(),
      progress: null,
      unconfirmed: 0,
      retryAtMs: 0,
      trouble: null,
    };
    backOff(state, error);
    expect(state.trouble).toContain('mail does not answer: ');
    for (const text of [withoutAddresses(error), state.trouble ?? ''])
      expect(text).not.toMatch(/6379|10\.0|fe80|::1|redis-7/);
  });

  it('L6: what is no place stays as it is said', () => {
    expect(withoutAddresses(new Error('Job 12:30 is no number'))).toBe('Job 12:30 is no number');
    expect(withoutAddresses(new RedriveError('WRONG_STATE', 'It waits.'))).toBe('It waits.');
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fingerprint, framesOf, messageShape, NO_PRINT } from './failure-fingerprint';

/** Each line of messages is one failure; no two lines are the same. */
const FAILURES: readonly (readonly string[])[] = [
  [
    'connect ECONNREFUSED 127.0.0.1:6379',
    'connect ECONNREFUSED 10.11.0.7:6380',
    'connect ECONNREFUSED ::1:6379',
    'connect ECONNREFUSED fe80::1ff:fe23:4567:890a:6379',
  ],
  ['connect ETIMEDOUT 10.0.0.9:5432', 'connect ETIMEDOUT 192.168.100.200:443'],
  ['connect ENOENT /var/run/redis/redis-7.sock', 'connect ENOENT /tmp/a1b2/redis.sock'],
  ['read ECONNRESET'],
  ['socket hang up'],
  ['getaddrinfo ENOTFOUND redis.internal'],
  ['getaddrinfo EAI_AGAIN mail.example.com'],
  ['Command timed out'],
  ['Connection is closed.'],
  [
    'Reached the max retries per request limit (which is 20). Refer to "maxRetriesPerRequest" option for details.',
    'Reached the max retries per request limit (which is 3). Refer to "maxRetriesPerRequest" option for details.',
  ],
  [
    "READONLY You can't write against a read only replica. script: 8f3a9c01b2d4e5f60718293a4b5c6d7e8f901234, on @user_script:1.",
  ],
  ['MOVED 3999 10.0.0.4:6379', 'MOVED 16383 10.0.0.12:7001'],
  ["OOM command not allowed when used memory > 'maxmemory'."],
  ['WRONGTYPE Operation against a key holding the wrong kind of value'],
  ['fetch failed'],
  [
    'Request to https://api.stripe.com/v1/charges/ch_3Lmn0pAB failed with 503',
    'Request to https://api.stripe.com/v1/charges/ch_9Zyx8wCD?expand=customer failed with 503',
    'Request to https://api.stripe.com/v1/refunds failed with 502',
  ],
  ['Request to https://api.stripe.com/v2-preview/events failed with 503'],
  ['Request to https://hooks.example.com/inbound/77 failed with 503'],
  ['Request failed with status code 404', 'Request failed with status code 500'],
  ['The operation was aborted due to timeout'],
  ['Timed out after 30000ms', 'Timed out after 250ms', 'Timed out after 150000ms'],
  ['Timed out after 1.5 s', 'Timed out after 30 s'],
  ['duplicate key value violates unique constraint "orders_pkey"'],
  ['duplicate key value violates unique constraint "users_email_key"'],
  ['relation "invoices" does not exist'],
  ['null value in column "amount" of relation "payments" violates not-null constraint'],
  ['deadlock detected'],
  [
    'Key (email)=(bob.smith@example.com) already exists.',
    'Key (email)=(a+b@mail.example.org) already exists.',
  ],
  ['invalid input syntax for type uuid: "42"', 'invalid input syntax for type uuid: "not a uuid"'],
  ["No such customer: 'cus_NffrFeUfNV2Hib'", "No such customer: 'cus_9s6XKzkNRiz8i3'"],
  ['Your card was declined.'],
  [
    'Order 018f4e5c-7b2a-7c3d-9e0f-1a2b3c4d5e6f was not found',
    'Order 01ARZ3NDEKTSV4RRFFQ69G5FAV was not found',
    'Order 4711 was not found',
    'Order 0ujtsYcgvSTl8PAuAdqWYSMnLOv was not found',
    'Order deadbeef01 was not found',
  ],
  ['Customer 4711 was not found'],
  [
    `Unexpected token '<', "<!DOCTYPE "... is not valid JSON`,
    `Unexpected token 'I', "Internal S"... is not valid JSON`,
  ],
  ['Unexpected token < in JSON at position 0', 'Unexpected token < in JSON at position 217'],
  ['Unexpected end of JSON input'],
  [
    '[{"code":"invalid_type","expected":"number","path":["amount"],"message":"Invalid input: expected number, received string"}]',
  ],
  [
    '[{"code":"invalid_type","expected":"string","path":["email"],"message":"Invalid input: expected string, received undefined"}]',
  ],
  ["Cannot read properties of undefined (reading 'id')"],
  ["Cannot read properties of undefined (reading 'name')"],
  [
    "ENOENT: no such file or directory, open '/app/data/2026-03-04/4711.json'",
    "ENOENT: no such file or directory, open '/app/data/2025-12-31/12.json'",
    "ENOENT: no such file or directory, open 'C:\\data\\invoices\\9.json'",
  ],
  [
    'Token expired at 2026-03-04T10:11:12.345Z',
    'Token expired at 2025-01-01T00:00:00+01:00',
    'Token expired at 2024-02-29',
  ],
  [
    'Cannot deliver to bob@example.com: mailbox full',
    'Cannot deliver to info@mail.example.org: mailbox full',
  ],
  ['Lock of tenant 12 is held by worker-7f3a9c01', 'Lock of tenant 90001 is held by worker-00ab12cd'],
  ["The user's cart is empty, can't check out"],
  ['amounts differ: [1, 2, 3]', 'amounts differ: [10, 20]', 'amounts differ: [7]'],
];

describe('the print of a failure', () => {
  it.each(FAILURES.map((messages) => [messages[0] ?? '', messages] as const))(
    '%s: one, whatever its values',
    (first, messages) => {
      expect(messages.map(messageShape)).toEqual(messages.map(() => messageShape(first)));
    },
  );

  it('is not that of another', () => {
    const owners = new Map(FAILURES.map(([first = '']) => [fingerprint(first, undefined), first]));
    expect([...owners.values()].sort()).toEqual(FAILURES.map(([first = '']) => first).sort());
  });

  it('is none where nothing is said', () => {
    expect(fingerprint('', undefined)).toBe(NO_PRINT);
    expect(fingerprint(' \n', 'no frames here')).toBe(NO_PRINT);
    expect(fingerprint('it broke', undefined)).toMatch(/^[0-9a-f]{12}$/);
  });

  it('C31: is that of its text without the colours of a terminal', () => {
    const at = (name: string) => `Error: no\n    at ${name} (/app/a.js:1:2)`;
    expect(fingerprint('\u001b[31mexpected\u001b[39m one', at('\u001b[90mrun\u001b[39m'))).toBe(
      fingerprint('expected one', at('run')),
    );
  });

  it('C3: goes by its causes, without their values', () => {
    const by = (cause: string) => `Error: no\n    at run (/app/a.js:1:2)\nCaused by: ${cause}`;
    expect(fingerprint('no', by('Error: row 7 is locked'))).toBe(
      fingerprint('no', by('Error: row 9 is locked')),
    );
    expect(fingerprint('no', by('Error: row 7 is locked'))).not.toBe(
      fingerprint('no', by('Error: row 7 is gone')),
    );
  });

  it('keeps the names that say what failed, and no password', () => {
    expect(messageShape('column "amount" of https://bob:pw@db.example.com:5432/shop/x is 7')).toBe(
      'column "amount" of https://db.example.com:<n>/shop is <n>',
    );
  });

  it('is that of its shape: nothing is left in it that would change again', () => {
    fc.assert(
      fc.property(text, (message) => {
        const shape = messageShape(message);
        expect(messageShape(shape)).toBe(shape);
        expect(shape.length).toBeLessThanOrEqual(200);
        expect(fingerprint(message, message)).toMatch(/^([0-9a-f]{12}|-)$/);
      }),
      { numRuns: 3_000 },
    );
  });

  it.each(['a', '/a', '1.', '"', 'a@', ':', 'a://', '#, ', '\\a', '[', 'at (', 'A1'])(
    'of a megabyte of %s is made all the same',
    (piece) => {
      const long = piece.repeat(1_000_000 / piece.length);
      expect(fingerprint(long, long)).toMatch(/^[0-9a-f]{12}$/);
    },
  );
});

/** Messages made of what the patterns look for, whole and broken. */
const text = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        ...FAILURES.flat().flatMap((message) => message.split(/(?=[ /:'"@])/)),
        ...[
          '"',
          "'",
          '`',
          ' ',
          '#',
          '<n>',
          '<ip>',
          '…',
          '1',
          'a1b2c3d4e5',
          '-',
          '.',
          ':',
          '/',
          '\\',
          '@',
          ',',
          '[',
          ']',
          '=',
        ],
      ),
      { maxLength: 60 },
    )
    .map((parts) => parts.join('')),
);

const NODE = `Error: boom 42
    at async charge (file:///app/dist/handlers/charge.js?v=12:10:15)
    at new Client (/app/dist/client.js:3:7)
    at /app/node_modules/undici/lib/x.js:1:1
    at Object.<anonymous> (/app/dist/run.js:99:1)
    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)`;

describe('the frames of a stack', () => {
  it('are functions and files, without lines, and without those of the runtime and of packages', () => {
    expect(framesOf(NODE)).toEqual(['charge charge.js', 'Client client.js', 'Object.<anonymous> run.js']);
    expect(framesOf(NODE.replaceAll(/:\d+/g, ':7').replaceAll('/app/', '/srv/release-9/'))).toEqual(
      framesOf(NODE),
    );
  });

  it('are those of the runtime where there are no others', () => {
    expect(framesOf('Error\n    at JSON.parse (<anonymous>)\n    at node:internal/timers:581:17')).toEqual([
      'JSON.parse <anonymous>',
      ' timers',
    ]);
  });

  it('do not change with each build', () => {
    expect(framesOf('    at r (/app/.next/server/chunks/page-3f9c01ab.js:1:90210)')).toEqual(
      framesOf('    at r (/app/.next/server/chunks/page-77aa01cd.js:1:11)'),
    );
  });

  it('of another runtime are read where they look alike', () => {
    expect(framesOf('java.lang.IllegalStateException: no\n\tat com.shop.Cart.total(Cart.java:42)')).toEqual([
      'com.shop.Cart.total Cart.java',
    ]);
  });

  it('tell two failures with one message apart', () => {
    const at = (place: string) => `Error: boom\n    at ${place} (/app/x.js:1:1)`;
    expect(fingerprint('boom', at('a'))).not.toBe(fingerprint('boom', at('b')));
  });
});

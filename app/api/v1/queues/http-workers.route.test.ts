/** docs/http-workers.md: its examples are run by a shell as they stand, against the routes, and answer what the page says. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import type { Grant, Role } from '@/lib/contract/access/grant-scopes';
import { envWithJq } from '@/scripts/setup/jq.mjs';
import { setUpConsole } from '@/testing/worlds/console-server';
import { callApi } from '@/testing/worlds/route-caller';
import { signInAs, tokenFor } from '@/testing/worlds/users';

const PAGE = readFileSync('docs/http-workers.md', 'utf8');
const BLOCKS = [...PAGE.matchAll(/```(sh|json)\n([\s\S]*?)```/g)].map(([, kind, text = '']) => ({
  kind,
  text,
}));

const world = await setUpConsole();
let server: Server;
let address: string;
const headersOf: Partial<Record<Role, { authorization: string }>> = {};
beforeAll(async () => {
  const grants = (role: Role): Grant[] => [{ role, queues: ['*'], tenants: null }];
  const owner = await signInAs(world, { name: 'ada', grants: grants('admin') });
  for (const role of ['producer', 'worker'] as const)
    headersOf[role] = (await tokenFor(world, owner, grants(role))).headers;
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).flatMap(([name, value]) =>
          typeof value === 'string' && !['host', 'connection', 'content-length'].includes(name)
            ? [[name, value]]
            : [],
        ),
      );
      const raw = Buffer.concat(parts).toString('utf8');
      callApi(request.method ?? 'GET', request.url ?? '/', { headers, raw })
        .then(async (answer) => {
          response.writeHead(answer.status, Object.fromEntries(answer.response.headers));
          response.end(`${await answer.response.text()}\n`);
        })
        .catch((error: unknown) => response.writeHead(500).end(String(error)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** `"…"` stands for whatever there is. */
function isAs(wanted: unknown, has: unknown): boolean {
  if (wanted === '…') return has !== undefined;
  if (typeof wanted !== 'object' || wanted === null || typeof has !== 'object' || has === null)
    return wanted === has;
  const [names, others] = [Object.keys(wanted), Object.keys(has)];
  return (
    names.length === others.length &&
    names.every((name) =>
      isAs((wanted as Record<string, unknown>)[name], (has as Record<string, unknown>)[name]),
    )
  );
}

describe('F6: docs/http-workers.md', () => {
  it('has examples that answer what it says', { timeout: 300_000 }, async () => {
    const scripts = BLOCKS.filter(({ kind }) => kind === 'sh').map(({ text }) => text);
    expect(scripts.length).toBeGreaterThan(6);
    const script = scripts.map((text) => `${text}\necho ----`).join('\n');
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
      env: {
        ...envWithJq(),
        REDRIVE_URL: address,
        PRODUCER_TOKEN: headersOf.producer?.authorization.slice('Bearer '.length),
        WORKER_TOKEN: headersOf.worker?.authorization.slice('Bearer '.length),
      },
    });
    const answers = stdout.split('----\n');
    let at = -1;
    for (const { kind, text } of BLOCKS) {
      if (kind === 'sh') {
        at += 1;
        continue;
      }
      const given = answers[at] ?? '';
      const [wanted, has] = [valuesIn(text), valuesIn(given)];
      expect(has.length, given).toBe(wanted.length);
      wanted.forEach((one, i) => {
        if (!isAs(one, has[i])) expect(has[i], scripts[at]).toEqual(one);
      });
    }
    expect(at + 1).toBe(scripts.length);
  });

  it('names every call for programs, and each member of their bodies', async () => {
    for (const call of ['/jobs', '/claim', '/ack', '/fail', '/extend', '/release'])
      expect(PAGE).toContain(call);
    const { CLAIM_ACTIONS, claimRequestSchema } = await import('@/lib/contract/jobs/claim-requests');
    const members = [
      ...Object.keys(claimRequestSchema.shape),
      ...Object.keys(CLAIM_ACTIONS.fail.shape),
      ...Object.keys(CLAIM_ACTIONS.extend.shape),
      'result',
      'resultText',
      'payload',
      'payloadText',
      'payloadRef',
    ];
    for (const member of members) expect(PAGE, member).toContain(member);
  });
});

/** The JSON values that follow each other in a text. */
function valuesIn(text: string): unknown[] {
  const values: unknown[] = [];
  let part = '';
  for (const line of text.split('\n')) {
    part += `${line}\n`;
    try {
      values.push(JSON.parse(part));
      part = '';
    } catch {
      // A value goes on in the next line.
    }
  }
  expect(part.trim()).toBe('');
  return values;
}

describe('F6: numbers', () => {
  const exact = '{"id":9007199254740993,"list":[1.50,-0,1e400],"text":"9007199254740993 \\"x\\""}';

  test('of a payload keep the digits they are sent with, in one job and in a batch', async () => {
    const at = '/api/v1/queues/exact/jobs';
    const headers = headersOf.producer;
    const one = await callApi('POST', at, {
      headers,
      raw: `{ "jobId": "a", "jobType": "t", "payload" : ${exact} }`,
    });
    expect(one.status).toBe(201);
    const many = await callApi('POST', at, {
      headers,
      raw: `{"jobs":[{"jobId":"b","jobType":"t","payload":12345678901234567890},{"jobId":"c","jobType":"t","payload":null},{"jobType":"t"}]}`,
    });
    const { results } = many.body as { results: { jobId: string; outcome: string }[] };
    expect(results.map(({ outcome }) => outcome)).toEqual(['ready', 'ready', 'ready']);
    const stored = async (id: string) => (await world.broker.inspect.unmasked('exact', id)).payload;
    expect(await stored('a')).toBe(exact);
    expect(await stored('b')).toBe('12345678901234567890');
    expect(await stored('c')).toBe('null');
    // A job without an id is answered with the id it got.
    expect(await stored(results[2]?.jobId ?? '')).toBe('');
  });

  test('of a result do so too, and a text is kept letter for letter', async () => {
    const ack = async (id: string, member: string) => {
      await world.broker.enqueue('results', { jobId: id, jobType: 't' });
      const [job] = (await world.broker.claim('results', { worker: 'w' })).jobs;
      const path = `/api/v1/queues/results/jobs/${id}/ack`;
      const answer = await callApi('POST', path, {
        headers: headersOf.worker,
        raw: `{"token":"${job?.token}",${member}}`,
      });
      return answer.status === 200
        ? (await world.broker.inspect.unmasked('results', id)).result?.result
        : [answer.status, answer.body.errors];
    };
    expect(await ack('a', `"result": ${exact}`)).toBe(exact);
    expect(await ack('b', '"result": "done"')).toBe('"done"');
    expect(await ack('c', '"resultText": "{ \\"n\\": 1.0 }"')).toBe('{ "n": 1.0 }');
    expect(await ack('d', `"result": "${'x'.repeat(4_000)}"`)).toEqual([
      400,
      [{ field: 'result', message: 'is at most 4000 characters as JSON' }],
    ]);
  });
});

describe('F6: what would be stored changed is refused by its path', () => {
  const send = (raw: string) =>
    callApi('POST', '/api/v1/queues/mail/jobs', {
      headers: { ...headersOf.producer, 'content-type': 'application/json' },
      raw,
    });
  test.each([
    ['{"jobType":"mail.send","payload":{"a":1,"a":2}}', 'payload.a'],
    ['{"jobs":[{"jobType":"t"},{"jobType":"t","payload":[{"a":1,"b":2,"a":3}]}]}', 'jobs.1.payload.0.a'],
    ['{"jobType":"mail.send","payloadText":"a\\ud800b"}', 'payloadText'],
    ['{"jobType":"mail.send","jobId":"a\\ud800b"}', 'jobId'],
    ['{"jobs":[{"jobType":"t","payloadRef":"a\\ud800"}]}', 'jobs.0.payloadRef'],
  ])('%s', async (raw, field) => {
    const answer = await send(raw);
    expect(answer.status).toBe(400);
    expect(await answer.response.json()).toMatchObject({ code: 'VALIDATION', errors: [{ field }] });
  });
  test('a payload with the escape of half a pair is kept: as JSON it has bytes', async () => {
    expect((await send('{"jobType":"mail.send","payload":"a\\ud800b"}')).status).toBe(201);
  });
});

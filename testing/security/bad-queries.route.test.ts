/**
 * Searching and operations, asked badly: each a 4xx problem document that names the field, nothing changed, nothing logged as a
 * crash. Shipped consoles fell over some of these.
 */
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { JOB_STATES } from '@/lib/contract/jobs/job-states';
import { KIND_STATES, OPERATION_KINDS, type OperationKind } from '@/lib/contract/operations/operation-kinds';
import { log } from '@/lib/server/console-log';
import { setUpConsole } from '@/testing/worlds/console-server';
import { callApi } from '@/testing/worlds/route-caller';
import { killAll } from '@/testing/worlds/world';

const world = await setUpConsole();
beforeAll(async () => {
  await killAll(world.broker, 'default', [{ jobId: 'dead-1', jobType: 'email.send', payload: '{"a":1}' }]);
});

let crash: ReturnType<typeof vi.spyOn>;
beforeEach(() => {
  crash = vi.spyOn(log(), 'error');
  crash.mockClear();
});

interface Expected {
  readonly status: number;
  readonly code: string;
  readonly field: string | RegExp;
}
async function refused(
  method: string,
  path: string,
  body: unknown,
  { status, code, field }: Expected,
  headers: Record<string, string> = {},
): Promise<string> {
  const before = await world.fingerprint();
  const answer = await callApi(method, path, { body, headers });
  expect(answer.body).toMatchObject({ status, code });
  expect(answer.status).toBe(status);
  expect(answer.response.headers.get('content-type')).toBe('application/problem+json');
  expect((answer.body.errors as { field: string }[]).map((error) => error.field).join(' ')).toMatch(field);
  expect(await world.fingerprint()).toBe(before);
  expect(crash).not.toHaveBeenCalled();
  return String(answer.body.detail);
}
const q = encodeURIComponent;
const bad = (code: string, field: string | RegExp, status = 400): Expected => ({ status, code, field });

/** Each of these takes a query. */
const SEARCHES = [
  (text: string) => `/api/v1/dead?q=${q(text)}`,
  (text: string) => `/api/v1/dead/stream?q=${q(text)}`,
  (text: string) => `/api/v1/dead/facets?q=${q(text)}`,
  (text: string) => `/api/v1/dead/groups?q=${q(text)}`,
  (text: string) => `/api/v1/queues/default/jobs?state=dead&q=${q(text)}`,
] as const;

describe('input bombs: a query out of bounds is refused before anything is read', () => {
  test.each([
    ['more than 2,048 characters', 'x'.repeat(2_049), bad('VALIDATION', /^q$/)],
    ['65 terms', Array.from({ length: 65 }, (_, i) => `a${i}`).join(' '), bad('BAD_QUERY', /^q$/)],
    ['six levels', `${'('.repeat(6)}a OR b${')'.repeat(6)}`, bad('BAD_QUERY', /^q$/)],
    ['a thousand levels', '('.repeat(1_000), bad('BAD_QUERY', /^q$/)],
    ['a thousand NOTs of nothing', 'NOT '.repeat(500), bad('BAD_QUERY', /^q$/)],
    ['an open quote', '"abc', bad('BAD_QUERY', /^q$/)],
    ['a field that does not exist', 'colour:red', bad('BAD_QUERY', /^q$/)],
    ['an age of nothing', 'age:>soon', bad('BAD_QUERY', /^q$/)],
    ['a number of attempts in words', 'attempts:>=many', bad('BAD_QUERY', /^q$/)],
    ['half a character', '\uD800', bad('BAD_QUERY', /^q$/)],
  ])('%s', async (_name, text, expected) => {
    for (const path of SEARCHES) {
      // A lone surrogate cannot be written in an address; as JSON it can, and is tried below.
      if (text === '\uD800') continue;
      await refused('GET', path(text), undefined, expected);
    }
    const scoped = { ...expected, field: /^(scope\.)?q$/ };
    const preview = { kind: 'redrive', scope: { state: 'dead', q: text } };
    await refused('POST', '/api/v1/operations/preview', preview, scoped);
    await refused('POST', '/api/v1/searches', { name: 'mine', q: text }, expected);
  });

  test('what is wrong is said with its place and what may be meant', async () => {
    const detail = await refused('GET', `/api/v1/dead?q=${q('type:a tennant:acme')}`, undefined, {
      ...bad('BAD_QUERY', /^q$/),
    });
    expect(detail).toMatch(/character 8\b.*tenant/s);
  });
});

describe('bad parameters', () => {
  const cursor = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  test.each([
    ['GET', '/api/v1/dead?limit=0', bad('VALIDATION', 'limit')],
    ['GET', '/api/v1/dead?limit=501', bad('VALIDATION', 'limit')],
    ['GET', '/api/v1/dead?limit=1e9', bad('VALIDATION', 'limit')],
    ['GET', '/api/v1/dead?queue=default', bad('VALIDATION', 'queue')],
    ['GET', '/api/v1/dead?q=a&q=b', bad('VALIDATION', 'q')],
    ['GET', '/api/v1/dead?cursor=abc', bad('BAD_CURSOR', 'cursor')],
    ['GET', `/api/v1/dead?cursor=${'A'.repeat(601)}`, bad('VALIDATION', 'cursor')],
    ['GET', `/api/v1/dead?cursor=${cursor({ score: '1', jobId: 'a' })}`, bad('BAD_CURSOR', 'cursor')],
    ['GET', `/api/v1/dead?cursor=${cursor({ score: 'nan', jobId: 'a}:*' })}`, bad('BAD_CURSOR', 'cursor')],
    ['GET', `/api/v1/dead?cursor=${cursor([[[[]]]])}`, bad('BAD_CURSOR', 'cursor')],
    ['GET', `/api/v1/dead?cursor=${cursor(null)}`, bad('BAD_CURSOR', 'cursor')],
    ['GET', '/api/v1/dead/stream?cursor=abc', bad('BAD_CURSOR', 'cursor')],
    ['GET', '/api/v1/dead/stream?limit=0', bad('VALIDATION', 'limit')],
    ['GET', '/api/v1/dead/facets?queue=default', bad('VALIDATION', 'queue')],
    ['GET', '/api/v1/dead/groups?limit=5', bad('VALIDATION', 'limit')],
    ['GET', '/api/v1/dead/groups/NOPE', bad('VALIDATION', 'group')],
    ['GET', '/api/v1/dead/groups/abcdefabcdef', bad('GROUP_NOT_FOUND', 'group', 404)],
    ['GET', '/api/v1/find', bad('VALIDATION', 'q')],
    ['GET', '/api/v1/find?q=', bad('VALIDATION', 'q')],
    ['GET', '/api/v1/find?q=two%20words', bad('VALIDATION', 'q')],
    ['GET', `/api/v1/find?q=${'x'.repeat(201)}`, bad('VALIDATION', 'q')],
    ['GET', '/api/v1/find/stream?q=x&budget=0', bad('VALIDATION', 'budget')],
    ['GET', '/api/v1/find/stream?q=x&budget=5000001', bad('VALIDATION', 'budget')],
    ['GET', '/api/v1/suggest?q=type', bad('VALIDATION', 'caret')],
    ['GET', '/api/v1/suggest?q=type&caret=-1', bad('VALIDATION', 'caret')],
    ['GET', '/api/v1/suggest?q=type&caret=99999', bad('VALIDATION', 'caret')],
    ['GET', '/api/v1/suggest?q=type&caret=1&state=asleep', bad('VALIDATION', 'state')],
    ['GET', '/api/v1/suggest?q=type&caret=1&queue=nope', bad('QUEUE_NOT_FOUND', 'queue', 404)],
    ['GET', '/api/v1/operations?cursor=op-NOPE', bad('BAD_CURSOR', 'cursor')],
    ['GET', '/api/v1/operations/op-NOPE', bad('OPERATION_NOT_FOUND', 'id', 404)],
    ['GET', '/api/v1/operations/op-NOPE/jobs?outcome=waiting', bad('OPERATION_NOT_FOUND', 'id', 404)],
    ['GET', '/api/v1/operations/op-NOPE/jobs', bad('VALIDATION', 'outcome')],
    ['GET', '/api/v1/operations/op-NOPE/jobs?outcome=lost', bad('VALIDATION', 'outcome')],
    ['GET', '/api/v1/operations/op-NOPE/file', bad('OPERATION_NOT_FOUND', 'id', 404)],
    ['GET', `/api/v1/operations/${q('.open')}`, bad('VALIDATION', 'id')],
    ['DELETE', '/api/v1/searches/NOPE', bad('SEARCH_NOT_FOUND', 'id', 404)],
  ])('%s %s', async (method, path, expected) => {
    await refused(method, path, undefined, expected);
  });
});

describe('bad bodies', () => {
  const group = '/api/v1/dead/groups/abcdefabcdef';
  const scope = { state: 'dead', q: '' };
  const job = { queue: 'default', jobId: 'dead-1' };
  const preview = '/api/v1/operations/preview';
  const token = 'a'.repeat(40);
  const [start, operation] = ['/api/v1/operations', '/api/v1/operations/op-00000000000000000000'];
  test.each<[string, string, string, unknown, Expected]>([
    ['a change of nothing', 'PATCH', group, {}, bad('VALIDATION', 'body')],
    ['a status no person sets', 'PATCH', group, { status: 'reopened' }, bad('VALIDATION', 'status')],
    ['a note of two lines', 'PATCH', group, { note: 'a\nb' }, bad('VALIDATION', 'note')],
    ['a name without end', 'PATCH', group, { name: 'x'.repeat(121) }, bad('VALIDATION', 'name')],
    ['a group nobody knows', 'PATCH', group, { name: 'x' }, bad('GROUP_NOT_FOUND', 'group', 404)],
    ['a search without a name', 'POST', '/api/v1/searches', { q: 'a' }, bad('VALIDATION', 'name')],
    [
      'a column too narrow to read',
      'PUT',
      '/api/v1/me/tables',
      { density: 'compact', tables: { dead: { shown: {}, widths: { type: 3 } } } },
      bad('VALIDATION', 'tables.dead.widths.type'),
    ],
    ['a name of nothing', 'PUT', '/api/v1/me', { name: ' ' }, bad('VALIDATION', 'name')],
    ['a name of 61 letters', 'PUT', '/api/v1/me', { name: 'x'.repeat(61) }, bad('VALIDATION', 'name')],
    ['a name that turns the text', 'PUT', '/api/v1/me', { name: '\u202Enimda' }, bad('VALIDATION', 'name')],
    ['the name of Redrive itself', 'PUT', '/api/v1/me', { name: 'System' }, bad('VALIDATION', 'name')],
    ['a cookie in a name', 'PUT', '/api/v1/me', { name: 'a\r\nSet-Cookie: x=y' }, bad('VALIDATION', 'name')],
    ['a preview of nothing', 'POST', preview, { kind: 'purge' }, bad('VALIDATION', 'scope')],
    ['neither a query nor jobs', 'POST', preview, { kind: 'purge', scope: {} }, bad('VALIDATION', 'scope.q')],
    [
      'a query and jobs',
      'POST',
      preview,
      { kind: 'purge', scope: { q: '', jobs: [job] } },
      bad('VALIDATION', 'scope.q'),
    ],
    ['no jobs', 'POST', preview, { kind: 'purge', scope: { jobs: [] } }, bad('VALIDATION', 'scope.jobs')],
    [
      'unbounded work per click: more ticked jobs than a page',
      'POST',
      preview,
      { kind: 'purge', scope: { jobs: Array.from({ length: 501 }, () => job) } },
      bad('VALIDATION', 'scope.jobs'),
    ],
    [
      'a job of a queue nobody knows',
      'POST',
      preview,
      { kind: 'purge', scope: { jobs: [{ queue: 'nope', jobId: 'a' }] } },
      bad('QUEUE_NOT_FOUND', 'queue', 404),
    ],
    [
      'a list of a queue nobody knows',
      'POST',
      preview,
      { kind: 'purge', scope: { ...scope, queue: 'nope' } },
      bad('QUEUE_NOT_FOUND', 'queue', 404),
    ],
    ['a move to nowhere', 'POST', preview, { kind: 'move', scope }, bad('VALIDATION', 'target')],
    [
      'a move to a queue that is a slip of the pen',
      'POST',
      preview,
      { kind: 'move', scope, target: 'defualt' },
      bad('QUEUE_NOT_FOUND', 'queue', 404),
    ],
    [
      'a target for what moves nowhere',
      'POST',
      preview,
      { kind: 'purge', scope, target: 'default' },
      bad('VALIDATION', 'target'),
    ],
    ['an edit of nothing', 'POST', preview, { kind: 'edit', scope }, bad('VALIDATION', 'patch')],
    ['an empty edit', 'POST', preview, { kind: 'edit', scope, patch: [] }, bad('VALIDATION', 'patch')],
    [
      'an edit with a step that does not exist',
      'POST',
      preview,
      { kind: 'edit', scope, patch: [{ op: 'run', path: '/a' }] },
      bad('VALIDATION', 'patch.0.op'),
    ],
    [
      'an edit of 21 steps',
      'POST',
      preview,
      { kind: 'edit', scope, patch: Array.from({ length: 21 }, () => ({ op: 'remove', path: '/a' })) },
      bad('VALIDATION', 'patch'),
    ],
    [
      'a time in microseconds',
      'POST',
      preview,
      { kind: 'reschedule', scope: { state: 'scheduled', q: '' }, dueAt: 1_795_182_102_726_000 },
      bad('VALIDATION', 'dueAt'),
    ],
    [
      'more rows than a file holds',
      'POST',
      preview,
      { kind: 'export', scope, maxRows: 1_000_001 },
      bad('VALIDATION', 'maxRows'),
    ],
    ['an unknown kind', 'POST', preview, { kind: 'explode', scope }, bad('VALIDATION', 'kind')],
    ['an unknown field', 'POST', preview, { kind: 'purge', scope, all: true }, bad('VALIDATION', 'all')],
    ['a start without a preview', 'POST', start, { reason: 'x' }, bad('VALIDATION', 'previewToken')],
    [
      'a start as it was before there were previews',
      'POST',
      start,
      { kind: 'purge', filter: {}, reason: 'x' },
      bad('VALIDATION', 'previewToken'),
    ],
    ['a start without a reason', 'POST', start, { previewToken: token }, bad('VALIDATION', 'reason')],
    [
      'a preview that is not kept',
      'POST',
      start,
      { previewToken: token, reason: 'x' },
      bad('PREVIEW_STALE', 'previewToken', 409),
    ],
    [
      'a token that would reach another key',
      'POST',
      start,
      { previewToken: '*}:x', reason: 'x' },
      bad('PREVIEW_STALE', 'previewToken', 409),
    ],
    [
      'a rate of nothing',
      'POST',
      start,
      { previewToken: token, reason: 'x', rate: { perSecond: 0 } },
      bad('VALIDATION', 'rate.perSecond'),
    ],
    [
      'a canary of no jobs',
      'POST',
      start,
      { previewToken: token, reason: 'x', canary: { jobs: 0 } },
      bad('VALIDATION', 'canary.jobs'),
    ],
    [
      'a stop at more than all',
      'POST',
      start,
      { previewToken: token, reason: 'x', stop: { maxDiedAgain: 2 } },
      bad('VALIDATION', 'stop.maxDiedAgain'),
    ],
    ['a change of nothing to an operation', 'PATCH', operation, {}, bad('VALIDATION', 'body')],
    ['a change of its kind', 'PATCH', operation, { kind: 'purge' }, bad('VALIDATION', 'kind')],
    [
      'a change to one that is not there',
      'PATCH',
      operation,
      { rate: {} },
      bad('OPERATION_NOT_FOUND', 'id', 404),
    ],
    ['a pause of one', 'POST', `${operation}/pause`, {}, bad('OPERATION_NOT_FOUND', 'id', 404)],
    ['an unknown action', 'POST', `${operation}/explode`, {}, bad('VALIDATION', 'action')],
    ['an undo without a reason', 'POST', `${operation}/undo`, {}, bad('VALIDATION', 'reason')],
    ['an undo of one', 'POST', `${operation}/undo`, { reason: 'x' }, bad('OPERATION_NOT_FOUND', 'id', 404)],
  ])('%s', async (_name, method, path, body, expected) => {
    await refused(method, path, body, expected);
  });
});

describe('wrong verb at "all": a kind does not touch a state it is not for', () => {
  const REST: Partial<Record<OperationKind, object>> = {
    move: { target: 'default' },
    edit: { patch: [{ op: 'remove', path: '/a' }] },
    reschedule: { dueAt: 1 },
  };
  // The deletion of a queue is of the whole, whatever the state.
  test.each(OPERATION_KINDS.filter((kind) => kind !== 'delete-queue'))('%s', async (kind) => {
    for (const state of JOB_STATES.filter((state) => !KIND_STATES[kind].includes(state)))
      await refused(
        'POST',
        '/api/v1/operations/preview',
        { kind, scope: { state, q: '' }, ...REST[kind] },
        bad('VALIDATION', 'scope.state'),
      );
  });
});

describe('another site', () => {
  const reads = ['/api/v1/dead/stream', '/api/v1/operations/op-00000000000000000000/file', '/api/v1/me'];
  test.each(reads)('may not read %s', async (path) => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    await refused('GET', path, undefined, bad('CROSS_ORIGIN', 'Origin', 403), headers);
  });
  test.each([
    ['PUT', '/api/v1/me', { name: 'Mallory' }],
    ['POST', '/api/v1/operations/preview', { kind: 'purge', scope: { q: '' } }],
    ['POST', '/api/v1/searches', { name: 'x', q: '' }],
  ])('may not %s %s', async (method, path, body) => {
    const headers = { origin: 'https://evil.example' };
    await refused(method, path, body, bad('CROSS_ORIGIN', 'Origin', 403), headers);
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { ApiError, DEADLINE_MS, request, withQuery } from './api';

const schema = z.object({ outcome: z.string() });
const fetchMock = vi.fn<typeof fetch>();

beforeEach(() => {
  vi.stubGlobal('fetch', fetchMock);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  fetchMock.mockReset();
});

const json = (body: unknown, init?: ResponseInit) => new Response(JSON.stringify(body), init);
const failureOf = async (promise: Promise<unknown>): Promise<ApiError> => {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
};

describe('request', () => {
  it('returns the parsed reply', async () => {
    fetchMock.mockResolvedValue(json({ outcome: 'ready', extra: 1 }));
    await expect(request('/x', { schema })).resolves.toEqual({ outcome: 'ready' });
    expect(fetchMock.mock.calls[0]?.[1]).toMatchObject({
      method: 'GET',
      body: undefined,
      credentials: 'same-origin',
    });
  });

  it('sends writes as JSON with their idempotency key, an empty object when there is nothing to say', async () => {
    fetchMock.mockResolvedValue(json({ outcome: 'ready' }));
    await request('/x', { schema, method: 'POST', idempotencyKey: 'key-1' });
    expect(fetchMock.mock.calls[0]?.[1]).toMatchObject({
      body: '{}',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'key-1' },
    });
  });

  it('turns a problem document into an ApiError with its sentence, fields and request id', async () => {
    const problem = {
      type: 'about:blank',
      title: 'The request is not valid',
      status: 400,
      code: 'VALIDATION',
      detail: 'reason: must not be empty.',
      requestId: 'r1',
      errors: [{ field: 'reason', message: 'must not be empty' }],
    };
    fetchMock.mockResolvedValue(json(problem, { status: 400 }));
    const error = await failureOf(request('/x', { schema, method: 'POST' }));
    expect(error).toMatchObject({
      status: 400,
      code: 'VALIDATION',
      message: 'reason: must not be empty.',
      requestId: 'r1',
      fields: [{ field: 'reason', message: 'must not be empty' }],
      outcomeUnknown: false,
    });
  });

  it('says so when the answer is not JSON', async () => {
    fetchMock.mockResolvedValue(new Response('<html>Bad gateway</html>', { status: 502 }));
    const error = await failureOf(request('/x', { schema }));
    expect(error).toMatchObject({ status: 502, code: 'BAD_REPLY', outcomeUnknown: true });
    expect(error.detail).toContain('502');
  });

  it('refuses a reply of another shape', async () => {
    fetchMock.mockResolvedValue(json({ outcome: 7 }));
    const error = await failureOf(request('/x', { schema, method: 'POST' }));
    expect(error).toMatchObject({ status: 200, code: 'BAD_REPLY', outcomeUnknown: true });
  });

  it('says that a write may have been done when the network fails', async () => {
    fetchMock.mockRejectedValue(new TypeError('Failed to fetch'));
    expect(await failureOf(request('/x', { schema }))).toMatchObject({ status: 0, code: 'UNREACHABLE' });
    const write = await failureOf(request('/x', { schema, method: 'POST' }));
    expect(write.detail).toContain('may have been done');
  });

  it('gives up at its deadline', async () => {
    vi.useFakeTimers();
    fetchMock.mockImplementation(hang);
    const failing = failureOf(request('/x', { schema }));
    await vi.advanceTimersByTimeAsync(DEADLINE_MS);
    expect(await failing).toMatchObject({ status: 0, code: 'TIMEOUT' });
  });

  it('passes an abort through as it is', async () => {
    fetchMock.mockImplementation(hang);
    const controller = new AbortController();
    const pending = request('/x', { schema, signal: controller.signal });
    controller.abort();
    await expect(pending).rejects.toMatchObject({ name: 'AbortError' });
  });
});

const hang: typeof fetch = (_url, init) =>
  new Promise((_resolve, reject) => {
    init?.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
  });

describe('ApiError.about', () => {
  it('finds the words about a field, wherever it is nested', () => {
    const fields = [{ field: 'jobs.0.tenantId', message: 'too long' }];
    const error = new ApiError({ status: 400, code: 'VALIDATION', detail: 'No.', fields });
    expect(error.about('tenantId')).toBe('too long');
    expect(error.about('Id')).toBeNull();
  });
});

describe('withQuery', () => {
  it('adds only what is set', () => {
    expect(withQuery('/x', { a: 'b c', n: 0, none: null, missing: undefined, empty: '' })).toBe(
      '/x?a=b+c&n=0',
    );
    expect(withQuery('/x', {})).toBe('/x');
  });
});

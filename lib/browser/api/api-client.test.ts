import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { reauthGate } from '../access/reauth-gate';
import { ApiError, DEADLINE_MS, request, withQuery } from './api-client';

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

  describe('a read for which the user has too many running', () => {
    const detail = 'Too many of your searches and other large reads run at once: try again in 2 s.';
    const busy = (retryAfter = '2') =>
      json(
        {
          type: 'about:blank',
          title: 'Too many requests',
          status: 429,
          code: 'RATE_LIMITED',
          detail,
          requestId: 'r1',
        },
        { status: 429, headers: { 'retry-after': retryAfter } },
      );

    it('is sent again when the server says, and answered', async () => {
      vi.useFakeTimers();
      fetchMock.mockImplementationOnce(async () => busy()).mockResolvedValue(json({ outcome: 'ready' }));
      const answer = request('/x', { schema });
      await vi.advanceTimersByTimeAsync(1_999);
      expect(fetchMock).toHaveBeenCalledTimes(1);
      await vi.advanceTimersByTimeAsync(1);
      await expect(answer).resolves.toEqual({ outcome: 'ready' });
    });

    it('fails with the sentence of the server if that lasts, and at once where the wait is long', async () => {
      vi.useFakeTimers();
      fetchMock.mockImplementation(async () => busy());
      const lasting = failureOf(request('/x', { schema }));
      await vi.advanceTimersByTimeAsync(4_000);
      expect(await lasting).toMatchObject({ code: 'RATE_LIMITED', message: detail, retryAfterMs: 2_000 });
      expect(fetchMock).toHaveBeenCalledTimes(3);
      fetchMock.mockImplementation(async () => busy('30'));
      expect(await failureOf(request('/x', { schema }))).toMatchObject({ retryAfterMs: 30_000 });
      expect(fetchMock).toHaveBeenCalledTimes(4);
    });

    it('is not sent again once the page has no use for it; a change never is', async () => {
      vi.useFakeTimers();
      fetchMock.mockImplementation(async () => busy());
      const leave = new AbortController();
      const left = request('/x', { schema, signal: leave.signal }).catch((error: unknown) => error);
      await vi.advanceTimersByTimeAsync(1_000);
      leave.abort(new Error('left'));
      expect(await left).toMatchObject({ message: 'left' });
      await failureOf(request('/x', { schema, method: 'POST' }));
      await vi.advanceTimersByTimeAsync(60_000);
      expect(fetchMock).toHaveBeenCalledTimes(2);
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

  it('says that a write may have taken effect when the network fails', async () => {
    fetchMock.mockRejectedValue(new TypeError('Failed to fetch'));
    expect(await failureOf(request('/x', { schema }))).toMatchObject({ status: 0, code: 'UNREACHABLE' });
    const write = await failureOf(request('/x', { schema, method: 'POST' }));
    expect(write.detail).toContain('may have taken effect');
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

describe('request, when the answer asks for a person', () => {
  const problem = (status: number, code: string) =>
    json({ type: 'about:blank', title: 'No', status, code, detail: 'Say who you are.' }, { status });
  let leave: () => void;
  beforeEach(() => {
    leave = reauthGate.attend();
  });
  afterEach(() => leave());
  const asked = (question: string) => expect.poll(() => reauthGate.asked()).toBe(question);

  it('sends the same request once more, with the same key, after re-authentication', async () => {
    fetchMock
      .mockResolvedValueOnce(problem(403, 'REAUTHENTICATION_REQUIRED'))
      .mockResolvedValueOnce(json({ outcome: 'ok' }));
    const options = { schema, method: 'POST', body: { reason: 'r' }, idempotencyKey: 'k1' } as const;
    const pending = request('/x', options);
    await asked('reauthentication');
    expect(fetchMock).toHaveBeenCalledOnce();
    reauthGate.answer('reauthentication', true);
    expect(await pending).toEqual({ outcome: 'ok' });
    const [first, second] = fetchMock.mock.calls.map(([, init]) => init);
    expect([second?.body, second?.headers]).toEqual([first?.body, first?.headers]);
  });

  it('keeps the error when re-authentication is declined', async () => {
    fetchMock.mockResolvedValue(problem(403, 'REAUTHENTICATION_REQUIRED'));
    const failing = failureOf(request('/x', { schema, method: 'POST' }));
    await asked('reauthentication');
    reauthGate.answer('reauthentication', false);
    expect(await failing).toMatchObject({
      status: 403,
      code: 'REAUTHENTICATION_REQUIRED',
      detail: 'Say who you are.',
    });
    expect(fetchMock).toHaveBeenCalledOnce();
  });

  it('asks once for all that found the session gone, and never a second time for one request', async () => {
    fetchMock.mockImplementation(async () => problem(401, 'UNAUTHENTICATED'));
    const failing = [failureOf(request('/x', { schema })), failureOf(request('/y', { schema }))];
    await expect.poll(() => fetchMock.mock.calls.length).toBe(2);
    await asked('sign-in');
    reauthGate.answer('sign-in', true);
    for (const error of await Promise.all(failing)) expect(error.code).toBe('UNAUTHENTICATED');
    expect(fetchMock).toHaveBeenCalledTimes(4);
    expect(reauthGate.asked()).toBeNull();
  });

  it('sends nothing while nobody is signed in, and all of it afterwards', async () => {
    fetchMock.mockResolvedValueOnce(problem(401, 'UNAUTHENTICATED'));
    fetchMock.mockImplementation(async () => json({ outcome: 'ok' }));
    const first = request('/x', { schema });
    await asked('sign-in');
    const second = request('/y', { schema });
    const signingIn = request('/session', { schema, method: 'POST', asks: false });
    await signingIn;
    expect(fetchMock.mock.calls.map(([path]) => path)).toEqual(['/x', '/session']);
    reauthGate.answer('sign-in', true);
    expect(await Promise.all([first, second])).toEqual([{ outcome: 'ok' }, { outcome: 'ok' }]);
  });

  it('asks nobody on behalf of signing in itself', async () => {
    fetchMock.mockResolvedValue(problem(401, 'UNAUTHENTICATED'));
    await failureOf(request('/x', { schema, asks: false }));
    expect(reauthGate.asked()).toBeNull();
  });
});

const hang: typeof fetch = (_url, init) =>
  new Promise((_resolve, reject) => {
    init?.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
  });

describe('withQuery', () => {
  it('adds only what is set', () => {
    expect(withQuery('/x', { a: 'b c', n: 0, none: null, missing: undefined, empty: '' })).toBe(
      '/x?a=b+c&n=0',
    );
    expect(withQuery('/x', {})).toBe('/x');
  });
});

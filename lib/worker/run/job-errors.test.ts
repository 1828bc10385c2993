import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NAME_PATTERN } from '@/lib/contract/name-pattern';
import {
  classify,
  DeadlineError,
  DuplicateError,
  MalformedError,
  PermanentError,
  RateLimitedError,
  RetryableError,
  UnsupportedVersionError,
} from './job-errors';

const failureOf = (thrown: unknown) => {
  const classified = classify(thrown);
  if (classified === 'success') throw new Error('counted as success');
  return { ...classified.failure, retryAfterMs: classified.retryAfterMs };
};

describe('classify', () => {
  it.each([
    [new RetryableError('HTTP_503', 'away'), 'retryable', 'HTTP_503'],
    [new PermanentError('HTTP_400', 'no'), 'permanent', 'HTTP_400'],
    [new RateLimitedError(5_000), 'rate-limited', 'RATE_LIMITED'],
    [new MalformedError('bad'), 'malformed', 'PAYLOAD_INVALID'],
    [new UnsupportedVersionError('old'), 'unsupported-version', 'UNSUPPORTED_VERSION'],
    [new DeadlineError('late'), 'deadline', 'DEADLINE_PASSED'],
    [new TypeError('x is not a function'), 'retryable', 'TypeError'],
    [new Error('anything'), 'retryable', 'UNCAUGHT'],
    ['a string', 'retryable', 'UNCAUGHT'],
    [undefined, 'retryable', 'UNCAUGHT'],
  ])('%s is %s, code %s', (thrown, errorClass, errorCode) => {
    expect(failureOf(thrown)).toMatchObject({ errorClass, errorCode });
  });

  it('goes by type, not by words: a message that says "permanent" changes nothing', () => {
    expect(failureOf(new Error('permanent malformed deadline'))).toMatchObject({ errorClass: 'retryable' });
  });

  it('counts work done before as success', () => {
    expect(classify(new DuplicateError('sent yesterday'))).toBe('success');
  });

  it('keeps how long the other side asked to wait, the stack, and the cause', () => {
    expect(failureOf(new RateLimitedError(5_000)).retryAfterMs).toBe(5_000);
    const failure = failureOf(new RetryableError('X', 'outer', { cause: new Error('inner') }));
    expect(failure.stack).toMatch(/outer[\s\S]*Caused by: Error: inner/);
  });

  it('turns any code into one that indexes accept', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (code) => {
        expect(failureOf(new RetryableError(code, 'x')).errorCode).toMatch(NAME_PATTERN);
      }),
    );
    expect(failureOf(new RetryableError('HTTP 503: away', 'x')).errorCode).toBe('HTTP_503_away');
  });

  it('finds words for whatever is thrown, and never throws itself', () => {
    const odd = Object.assign(new Error('x'), { message: { code: 1 }, stack: null });
    expect(classify(odd)).toMatchObject({ failure: { message: '{"code":1}', stack: undefined } });
    const loop: { self?: unknown } = {};
    loop.self = loop;
    for (const thrown of [loop, Symbol('s'), null, undefined, 7n, Object.create(null)])
      expect(classify(thrown)).toMatchObject({ failure: { message: expect.any(String) } });
    expect(classify(new PermanentError(404 as unknown as string, 'gone'))).toMatchObject({
      failure: { errorClass: 'permanent', errorCode: '404' },
    });
  });
});

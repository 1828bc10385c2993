/** Errors as libraries, runtimes and people throw them, each with what a reader must learn from it. */
import { createContext, runInContext } from 'node:vm';

export interface WildError {
  readonly throws: () => unknown;
  /** Stands in the message. */
  readonly says: string;
  readonly code: string;
}

const otherRealm = createContext({});
const foreign = (code: string): unknown => runInContext(code, otherRealm);
const withCode = (message: string, code: unknown, more: object = {}) =>
  Object.assign(new Error(message), { code, ...more });
const fetchFailed = (code: string, why: string) =>
  new TypeError('fetch failed', { cause: withCode(`${why}`, code) });
const ring = () => {
  const outer: Error & { cause?: unknown } = new Error('round and round');
  outer.cause = new Error('again', { cause: outer });
  return outer;
};
const COLOUR = '\u001b[31m';

export const WILD_ERRORS: Readonly<Record<string, WildError>> = {
  ordinary: { throws: () => new Error('it broke'), says: 'it broke', code: 'UNCAUGHT' },
  'own class': {
    throws: () => Object.assign(new Error('no stock'), { name: 'OutOfStock' }),
    says: 'no stock',
    code: 'OutOfStock',
  },
  refused: {
    throws: () => fetchFailed('ECONNREFUSED', 'connect ECONNREFUSED 10.0.0.1:443'),
    says: 'fetch failed: connect ECONNREFUSED',
    code: 'ECONNREFUSED',
  },
  'no such host': {
    throws: () => fetchFailed('ENOTFOUND', 'getaddrinfo ENOTFOUND shop.invalid'),
    says: 'fetch failed: getaddrinfo ENOTFOUND shop.invalid',
    code: 'ENOTFOUND',
  },
  'two addresses': {
    throws: () =>
      Object.assign(
        new AggregateError(
          [
            withCode('connect ETIMEDOUT ::1:5', 'ETIMEDOUT'),
            withCode('connect ETIMEDOUT 127.0.0.1:5', 'ETIMEDOUT'),
          ],
          '',
        ),
        { code: 'ETIMEDOUT' },
      ),
    says: 'connect ETIMEDOUT ::1:5; connect ETIMEDOUT 127.0.0.1:5',
    code: 'ETIMEDOUT',
  },
  'all of several': {
    throws: () =>
      new AggregateError([new Error('first reason'), withCode('second reason', 'E2')], 'All failed'),
    says: 'All failed: first reason; second reason (E2)',
    code: 'E2',
  },
  'three deep': {
    throws: () => new Error('a', { cause: new Error('b', { cause: new Error('the real one') }) }),
    says: 'a: b: the real one',
    code: 'UNCAUGHT',
  },
  'a text as a cause': {
    throws: () => new Error('outer', { cause: 'the disk is full' }),
    says: 'outer: the disk is full',
    code: 'UNCAUGHT',
  },
  'another realm': { throws: () => foreign("new TypeError('boom')"), says: 'boom', code: 'TypeError' },
  'another realm, with a code': {
    throws: () => foreign("Object.assign(new Error('no such file'), { code: 'ENOENT' })"),
    says: 'no such file',
    code: 'ENOENT',
  },
  'a cause of another realm': {
    throws: () => new Error('outer', { cause: foreign("new RangeError('from another realm')") }),
    says: 'outer: from another realm',
    code: 'UNCAUGHT',
  },
  'of a driver': {
    throws: () => withCode('duplicate key value violates unique constraint', '23505'),
    says: 'duplicate key',
    code: '23505',
  },
  'with a status': {
    throws: () => Object.assign(new Error('the shop said no'), { status: 503 }),
    says: 'the shop said no',
    code: 'HTTP_503',
  },
  'with the status of a response': {
    throws: () =>
      Object.assign(new Error('the bank said no'), {
        response: { status: 502, headers: { auth: 'SECRET' } },
      }),
    says: 'the bank said no',
    code: 'HTTP_502',
  },
  'a plain object': {
    throws: () => ({ name: 'GrpcError', message: 'UNAVAILABLE: no connection', code: 14 }),
    says: 'UNAVAILABLE: no connection',
    code: 'GrpcError',
  },
  'a text': { throws: () => 'only a text', says: 'only a text', code: 'UNCAUGHT' },
  nothing: { throws: () => undefined, says: 'undefined', code: 'UNCAUGHT' },
  huge: {
    throws: () => new Error('x'.repeat(100_000), { cause: new Error('THE REASON') }),
    says: 'THE REASON',
    code: 'UNCAUGHT',
  },
  'huge, for another reason': {
    throws: () => new Error('x'.repeat(100_000), { cause: new Error('ANOTHER REASON') }),
    says: 'ANOTHER REASON',
    code: 'UNCAUGHT',
  },
  coloured: {
    throws: () =>
      new Error(
        `${COLOUR}expected\u001b[39m one\n\nand got \u001b]8;;https://x.test\u0007two\u001b]8;;\u0007`,
      ),
    says: 'expected one\n\nand got two',
    code: 'UNCAUGHT',
  },
  'its own cause': { throws: ring, says: 'round and round: again', code: 'UNCAUGHT' },
  'with getters that throw': {
    throws: () =>
      Object.defineProperty(new Error('it resists'), 'cause', {
        get() {
          throw new Error('no');
        },
      }),
    says: 'it resists',
    code: 'UNCAUGHT',
  },
};

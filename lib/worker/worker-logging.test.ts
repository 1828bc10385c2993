import { describe, expect, it } from 'vitest';
import { RedriveError } from '@/lib/contract/redrive-error';
import { carefulLogger, createLogger } from './worker-logging';
import { type Logger, SILENT } from './worker-types';

function capture() {
  const seen: string[] = [];
  const logger = createLogger({ level: 'trace', destination: { write: (line: string) => seen.push(line) } });
  return { logger, last: () => JSON.parse(seen.at(-1) ?? '{}') as Record<string, unknown> };
}

/** As ioredis makes them: the command rides along, payload and all. */
const redisError = () =>
  Object.assign(new Error('ERR wrong number of arguments for SECRET'), {
    command: { name: 'evalsha', args: ['SECRET'] },
  });

describe('createLogger', () => {
  it('writes an error with its sentence and stack, without what it carries along', () => {
    const { logger, last } = capture();
    logger.error({ err: Object.assign(redisError(), { code: 'EX' }) }, 'no luck');
    const { err } = last();
    expect(err).toEqual({
      type: 'Error',
      code: 'EX',
      message: 'ERR wrong number of arguments for SECRET',
      stack: expect.stringContaining('logging.test'),
    });
  });

  it('has a level', () => {
    expect(createLogger({ level: 'silent' }).isLevelEnabled('fatal')).toBe(false);
    expect(createLogger().level).toBe('info');
  });
});

describe("the runtime's own lines", () => {
  it('tell where a strange error happened, not what it says', () => {
    const { logger, last } = capture();
    carefulLogger(logger).warn({ where: 'claim', err: redisError() }, 'failed');
    expect(last()).toMatchObject({ where: 'claim', errorType: 'Error', errorCode: 'ERR' });
    expect(last().stack).toMatch(/^at .*logging\.test/);
    expect(JSON.stringify(last())).not.toContain('SECRET');
  });

  it('hold no line of a message that looks like a stack', () => {
    const { logger, last } = capture();
    const error = new Error('no\n    at SECRET (SECRET:1:1)');
    error.message = 'another';
    carefulLogger(logger).warn({ err: error }, 'failed');
    expect(JSON.stringify(last())).not.toContain('SECRET');
  });

  it('keep the sentences that are ours, but for those that may quote a payload', () => {
    const { logger, last } = capture();
    carefulLogger(logger).warn({ err: new RedriveError('REDIS_UNAVAILABLE', 'Redis is away.') }, 'failed');
    expect(last()).toMatchObject({ errorCode: 'REDIS_UNAVAILABLE', cause: 'Redis is away.' });
    carefulLogger(logger).warn({ err: new RedriveError('VALIDATION', 'SECRET is wrong.') }, 'failed');
    expect(JSON.stringify(last())).not.toContain('SECRET');
    carefulLogger(logger).warn({ err: 'SECRET' }, 'failed');
    expect(last()).toMatchObject({ errorType: 'string' });
    expect(JSON.stringify(last())).not.toContain('SECRET');
  });

  it.each(['debug', 'info', 'warn', 'error'] as const)('keep their level: %s', (level) => {
    const calls: [string, object][] = [];
    const to = (name: string) => (fields: object) => calls.push([name, fields]);
    const logger = { debug: to('debug'), info: to('info'), warn: to('warn'), error: to('error') };
    carefulLogger(logger as unknown as Logger)[level]({ a: 1 }, 'x');
    expect(calls).toEqual([[level, { a: 1 }]]);
  });

  it('cost nothing when nothing listens', () => {
    expect(carefulLogger(SILENT)).toBe(SILENT);
  });
});

import { describe, expect, it } from 'vitest';
import { linesWith, sourcesIn } from '@/testing/project-files';
import { describeError, errorText } from './describe-error';

describe('an error in words', () => {
  it('keeps room for the frames of each cause', () => {
    const make = (depth: number): Error =>
      new Error(`level ${depth} ${'x'.repeat(2_000)}`, depth > 0 ? { cause: make(depth - 1) } : {});
    const { message, stack = '' } = describeError(make(30));
    expect(message.length).toBeLessThanOrEqual(1_000);
    expect(stack.length).toBeLessThanOrEqual(3_000);
    expect(stack.match(/^Caused by: /gm)).toHaveLength(9);
    expect(describeError(make(1)).stack?.match(/describe-error\.test/g)?.length).toBeGreaterThan(1);
  });

  it('says nothing of an object behind an error but its code', () => {
    const error = new Error('it failed', { cause: { headers: { cookie: 'SECRET' }, status: 429 } });
    expect(JSON.stringify(describeError(error))).not.toContain('SECRET');
    expect(errorText(error)).toBe('it failed: HTTP_429');
  });

  it('leaves an ordinary error as it is', () => {
    const error = new Error('it broke');
    expect(describeError(error)).toEqual({
      isError: true,
      name: 'Error',
      code: '',
      message: 'it broke',
      stack: error.stack,
    });
  });

  it('is the only way to one: no source reads a message by hand', () => {
    const byHand = /\w+ instanceof Error \? [^:]*\.(?:message|stack)\b.*: (?:String\(|typeof|'|undefined)/;
    const shipped = sourcesIn(['app', 'cli', 'components', 'lib', 'worker']);
    // The browser names its own parser's error; each of the others would hide causes and codes.
    const known = /^components\/queues\/enqueue-form\.ts|^lib\/server\/authentication\/identity-provider\//;
    expect(linesWith(shipped, byHand).filter((line) => !known.test(line))).toEqual([]);
  });
});

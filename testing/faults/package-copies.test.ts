/** An application may load the package twice: errors of one copy are errors of the other. */
import { describe, expect, it, vi } from 'vitest';
import * as library from '@/lib';

describe('two copies of the package', () => {
  const errorClasses = Object.entries(library).filter(
    ([, value]) => typeof value === 'function' && value.prototype instanceof Error,
  );

  it.each(errorClasses)('C1: a %s of one is one of the other', async (name, ofThis) => {
    vi.resetModules();
    const other = (await import('@/lib')) as unknown as Record<string, { prototype: object }>;
    expect(other[name]).not.toBe(ofThis);
    expect(Object.create(other[name]?.prototype ?? {})).toBeInstanceOf(ofThis as new () => unknown);
    expect(new Error('another') instanceof (ofThis as new () => Error)).toBe(false);
  });

  it('C1: what an application derives is told apart as usual', () => {
    class Mine extends library.PermanentError {}
    expect(new Mine('A', 'b')).toBeInstanceOf(library.PermanentError);
    expect(new library.PermanentError('A', 'b')).not.toBeInstanceOf(Mine);
    expect(new library.RetryableError('A', 'b')).not.toBeInstanceOf(library.PermanentError);
  });
});

import { describe, expect, it } from 'vitest';
import { ScriptSize } from './script-size';

/** After some scripts of twenty jobs. */
const sizeAfter = (...tookMs: number[]) => {
  const size = new ScriptSize();
  for (const ms of tookMs) size.adapt(20, ms);
  return size.jobs;
};

describe('the jobs of one script', () => {
  it('are twenty until a few scripts were seen', () => {
    expect(sizeAfter(0.1, 0.1, 0.1)).toBe(20);
  });

  it('are as many as take two milliseconds, within limits', () => {
    expect(sizeAfter(0.1, 0.1, 0.1, 0.1, 0.1, 0.1)).toBe(40);
    expect(sizeAfter(1.6, 1.6, 1.6, 1.6, 1.6, 1.6)).toBe(25);
    expect(sizeAfter(50, 50, 50, 50, 50, 50)).toBe(10);
  });

  it('are judged by the fastest of the latest scripts', () => {
    expect(sizeAfter(9, 9, 9, 1, 9, 9)).toBe(40);
    expect(sizeAfter(1, 9, 9, 9, 9, 9, 9)).toBe(10);
  });

  it('are not judged by scripts of few', () => {
    const size = new ScriptSize();
    for (let i = 0; i < 10; i++) size.adapt(3, 3);
    expect(size.jobs).toBe(20);
  });
});

import { describe, expect, it } from 'vitest';
import { ScriptSize } from './script-size';

describe('the jobs of one script', () => {
  it('become more while scripts are fast, up to a limit', () => {
    const size = new ScriptSize();
    expect(size.jobs).toBe(20);
    for (let i = 0; i < 20; i++) size.adapt(size.jobs, 0.5);
    expect(size.jobs).toBe(40);
  });

  it('remain as many where a script had fewer, or took neither short nor long', () => {
    const size = new ScriptSize();
    size.adapt(7, 0.1);
    size.adapt(20, 2);
    expect(size.jobs).toBe(20);
  });

  it('become fewer at once when a script is slow, never fewer than ten', () => {
    const size = new ScriptSize();
    size.adapt(20, 4);
    expect(size.jobs).toBe(10);
    size.adapt(10, 40);
    expect(size.jobs).toBe(10);
  });
});

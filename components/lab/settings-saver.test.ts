import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '@/lib/browser/api/api-client';
import { createSettingsSaver, SAVE_AFTER_MS, SETTLE_MS } from './settings-saver';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('createSettingsSaver', () => {
  it('shows what was set at once and sends only the last of it', async () => {
    const save = vi.fn(async () => {});
    const saver = createSettingsSaver<number>(save);
    saver.set(1);
    saver.set(2);
    expect(saver.get().draft).toBe(2);
    await vi.advanceTimersByTimeAsync(SAVE_AFTER_MS);
    expect(save.mock.calls).toEqual([[2]]);
  });

  it('holds the draft until the server reports it back', async () => {
    const saver = createSettingsSaver<number>(async () => {});
    saver.set(2);
    await vi.advanceTimersByTimeAsync(SAVE_AFTER_MS);
    saver.observe(1);
    expect(saver.get().draft).toBe(2);
    saver.observe(2);
    expect(saver.get().draft).toBeNull();
  });

  it('gives the server the last word after a while', async () => {
    const saver = createSettingsSaver<number>(async () => {});
    saver.set(2);
    await vi.advanceTimersByTimeAsync(SAVE_AFTER_MS + SETTLE_MS);
    expect(saver.get().draft).toBeNull();
  });

  it('sends one request at a time, then what was set meanwhile', async () => {
    const finish: (() => void)[] = [];
    const save = vi.fn(() => new Promise<void>((resolve) => finish.push(resolve)));
    const saver = createSettingsSaver<number>(save);
    saver.set(1);
    await vi.advanceTimersByTimeAsync(SAVE_AFTER_MS);
    saver.set(2);
    await vi.advanceTimersByTimeAsync(SAVE_AFTER_MS);
    expect(save).toHaveBeenCalledOnce();
    finish[0]?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(save.mock.calls).toEqual([[1], [2]]);
  });

  it('goes back to the server word and says why when saving fails', async () => {
    const refused = new ApiError({ status: 400, code: 'VALIDATION', detail: 'No.' });
    const saver = createSettingsSaver<number>(() => Promise.reject(refused));
    saver.set(1);
    await vi.advanceTimersByTimeAsync(SAVE_AFTER_MS);
    expect(saver.get()).toEqual({ draft: null, saving: false, error: refused });
  });

  it('sends at once when flushed', () => {
    const save = vi.fn(async () => {});
    const saver = createSettingsSaver<number>(save);
    saver.set(1);
    saver.flush();
    expect(save).toHaveBeenCalledOnce();
  });
});

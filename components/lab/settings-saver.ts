/**
 * Saves settings while sliders move: a change shows at once, is sent a moment after the last one,
 * one request at a time, and is kept until the server reports it, so that no slider jumps back.
 */
import { ApiError } from '@/lib/browser/api/api-client';
import { createStore, type Store } from '@/lib/browser/store';

export const SAVE_AFTER_MS = 300;
/** Frames that arrive within this time after a save may still carry the old settings. */
export const SETTLE_MS = 3_000;

export interface SaverState<T> {
  /** Settings the server has not reported yet; null: none. */
  readonly draft: T | null;
  readonly saving: boolean;
  readonly error: ApiError | null;
}

export interface SettingsSaver<T> extends Pick<Store<SaverState<T>>, 'get' | 'subscribe'> {
  set(next: T): void;
  /** Passes on the settings the server reports. */
  observe(reported: T): void;
  /** Sends waiting settings at once, for example when the page is left. */
  flush(): void;
}

export function createSettingsSaver<T>(save: (settings: T) => Promise<unknown>): SettingsSaver<T> {
  const store = createStore<SaverState<T>>({ draft: null, saving: false, error: null });
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let settling: ReturnType<typeof setTimeout> | undefined;
  let unsent = false;

  const update = (patch: Partial<SaverState<T>>) => store.set({ ...store.get(), ...patch });

  async function send(): Promise<void> {
    clearTimeout(waiting);
    const { saving, draft } = store.get();
    if (saving || !unsent || draft === null) return;
    unsent = false;
    update({ saving: true });
    try {
      await save(draft);
      update({ saving: false, error: null });
      if (!unsent) settling = setTimeout(() => update({ draft: null }), SETTLE_MS);
    } catch (error) {
      const apiError = error instanceof ApiError ? error : unexpected(error);
      update({ saving: false, error: apiError, draft: unsent ? store.get().draft : null });
    }
    await send();
  }

  return {
    get: store.get,
    subscribe: store.subscribe,
    set(next) {
      clearTimeout(waiting);
      clearTimeout(settling);
      unsent = true;
      waiting = setTimeout(() => void send(), SAVE_AFTER_MS);
      update({ draft: next, error: null });
    },
    observe(reported) {
      const { draft, saving } = store.get();
      if (draft === null || unsent || saving) return;
      if (JSON.stringify(reported) !== JSON.stringify(draft)) return;
      clearTimeout(settling);
      update({ draft: null });
    },
    flush: () => void send(),
  };
}

const unexpected = (cause: unknown): ApiError =>
  new ApiError({ status: 0, code: 'UNEXPECTED', detail: 'The settings could not be saved.', cause });

/**
 * Saves settings that change under the hand: what was set shows at once, is sent whole a moment after the last change,
 * one request at a time, and is held until the server reports it back, so that no slider jumps back on the way.
 */
import { ApiError } from './api';

export const SAVE_AFTER_MS = 300;
/** How long the server's own word is distrusted after it took a change: frames on their way are older. */
export const SETTLE_MS = 3_000;

export interface SaverState<T> {
  /** What was set and is not yet reported back; null when the server's word stands. */
  readonly draft: T | null;
  readonly saving: boolean;
  readonly error: ApiError | null;
}

export interface SettingsSaver<T> {
  get(): SaverState<T>;
  subscribe(listener: () => void): () => void;
  set(next: T): void;
  /** Tells what the server says now. */
  observe(reported: T): void;
  /** Sends at once what still waits, for instance when the page is left. */
  flush(): void;
}

export function createSettingsSaver<T>(save: (settings: T) => Promise<unknown>): SettingsSaver<T> {
  let state: SaverState<T> = { draft: null, saving: false, error: null };
  const listeners = new Set<() => void>();
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let settling: ReturnType<typeof setTimeout> | undefined;
  let unsent = false;

  function update(patch: Partial<SaverState<T>>): void {
    state = { ...state, ...patch };
    for (const listener of listeners) listener();
  }

  async function send(): Promise<void> {
    clearTimeout(waiting);
    if (state.saving || !unsent || state.draft === null) return;
    unsent = false;
    update({ saving: true });
    try {
      await save(state.draft);
      update({ saving: false, error: null });
      if (!unsent) settling = setTimeout(() => update({ draft: null }), SETTLE_MS);
    } catch (error) {
      const apiError = error instanceof ApiError ? error : unexpected(error);
      update({ saving: false, error: apiError, draft: unsent ? state.draft : null });
    }
    await send();
  }

  return {
    get: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    set(next) {
      clearTimeout(waiting);
      clearTimeout(settling);
      unsent = true;
      waiting = setTimeout(() => void send(), SAVE_AFTER_MS);
      update({ draft: next, error: null });
    },
    observe(reported) {
      if (state.draft === null || unsent || state.saving) return;
      if (JSON.stringify(reported) !== JSON.stringify(state.draft)) return;
      clearTimeout(settling);
      update({ draft: null });
    },
    flush: () => void send(),
  };
}

const unexpected = (cause: unknown): ApiError =>
  new ApiError({ status: 0, code: 'UNEXPECTED', detail: 'The settings could not be saved.', cause });

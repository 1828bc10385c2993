/** Short notices. Their library is loaded with the first one; `ToasterHost` shows them. */
import type { ExternalToast } from 'sonner';

type Level = 'success' | 'error' | 'info' | 'warning';
export interface Notice {
  readonly level: Level;
  readonly title: string;
  readonly options?: ExternalToast;
}

let waiting: readonly Notice[] = [];
const listeners = new Set<() => void>();

/** Notices that wait for the library. */
export const notices = {
  get: () => waiting,
  set(next: readonly Notice[]) {
    waiting = next;
    for (const listener of listeners) listener();
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
};

const notify = (level: Level) => (title: string, options?: ExternalToast) =>
  notices.set([...notices.get(), { level, title, options }]);

export const toast = {
  success: notify('success'),
  error: notify('error'),
  info: notify('info'),
  warning: notify('warning'),
};

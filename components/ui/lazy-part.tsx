'use client';
/**
 * Parts of a page that few visits need, such as dialogs: their script is loaded after the page, so that pages begin with less. All of them
 * are loaded a few seconds later, and then open also while the console cannot be reached.
 */
import {
  type ComponentType,
  memo,
  type ReactNode,
  Suspense,
  use,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react';
import { toast } from './overlays/toast';

/** By then the page is complete. */
const PRELOAD_AFTER_MS = 3_000;

export interface LazyModule<T> {
  /** Null until it is loaded. */
  get(): T | null;
  load(): Promise<T>;
}

const modules = new Set<LazyModule<unknown>>();

export function lazyModule<T>(importModule: () => Promise<T>): LazyModule<T> {
  let loaded: T | null = null;
  let loading: Promise<T> | null = null;
  const part: LazyModule<T> = {
    get: () => loaded,
    load() {
      loading ??= importModule().then(
        (value) => {
          loaded = value;
          return value;
        },
        (error: unknown) => {
          // Tried again when somebody needs it.
          loading = null;
          throw error;
        },
      );
      return loading;
    },
  };
  modules.add(part);
  return part;
}

/** Mount once: loads every part that the page knows of. */
export function usePreloadedParts(path: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page brings parts of its own
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const part of modules) if (part.get() === null) part.load().catch(() => undefined);
    }, PRELOAD_AFTER_MS);
    return () => clearTimeout(timer);
  }, [path]);
}

const never = () => () => undefined;

/** Whether this renders what the server did. `components/ui` cannot see `useHydrating` of `lib/browser`. */
const useInHtml = () =>
  useSyncExternalStore(
    never,
    () => false,
    () => true,
  );

/** What a dialog calls to be closed. */
interface Closable {
  readonly open?: boolean;
  readonly onClose?: () => void;
  readonly onOpenChange?: (open: boolean) => void;
}

/**
 * The same component, memoized and loaded (meanwhile: `fallback`) when it is mounted (and not `open={false}`). It closes again when it cannot be loaded.
 *
 * @param soon the page always shows it, below its first data: it begins to load with the script that names it
 */
export function lazyPart<Props extends object>(
  importPart: () => Promise<ComponentType<Props>>,
  fallback: ReactNode | ((props: Props) => ReactNode) = null,
  { soon = false }: { soon?: boolean } = {},
): ComponentType<Props> {
  const part = lazyModule(importPart);
  if (soon && typeof window !== 'undefined') part.load().catch(() => undefined);
  return memo(function LazyPart(props: Props) {
    const { open, onClose, onOpenChange } = props as Closable;
    // The server rendered the fallback, also where the part is loaded by now.
    const hydrating = useInHtml();
    const [Part, setPart] = useState(() => (hydrating ? null : part.get()));
    useEffect(() => {
      if (Part !== null || open === false) return;
      let isOver = false;
      part.load().then(
        (loaded) => {
          if (!isOver) setPart(() => loaded);
        },
        () => {
          if (isOver) return;
          toast.error('This part of the page could not be loaded. Check the connection and try again.');
          onClose?.();
          onOpenChange?.(false);
        },
      );
      return () => {
        isOver = true;
      };
    }, [Part, open, onClose, onOpenChange]);
    if (Part) return <Part {...props} />;
    return typeof fallback === 'function' ? fallback(props) : fallback;
  });
}

/**
 * The same for what a page is about: the HTML has it already, and its script makes it answer. When that cannot be loaded, the page's error
 * boundary says so, and tries it again when asked to.
 */
export function lazyWithHtml<Props extends object>(
  importPart: () => Promise<ComponentType<Props>>,
  fallback: ReactNode,
): ComponentType<Props> {
  const part = lazyModule(importPart);
  if (typeof window !== 'undefined') part.load().catch(() => undefined);
  function Part(props: Props) {
    const Loaded = part.get() ?? use(part.load());
    return <Loaded {...props} />;
  }
  return function LazyWithHtml(props: Props) {
    // The HTML is without a boundary: React would send the part after it, and show it 0.3 s later. The page hydrates with the part.
    const [isInHtml] = useState(useInHtml());
    if (isInHtml) return <Part {...props} />;
    return (
      <Suspense fallback={fallback}>
        <Part {...props} />
      </Suspense>
    );
  };
}

'use client';
import { useCallback, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { isOverlayOpen, isTypingIn } from '@/components/shared/use-list-keys';
import { useOpenPage } from '@/components/shared/use-open-page';
import { Search } from '@/components/ui/icons';
import { Kbd } from '@/components/ui/kbd';
import { toast } from '@/components/ui/overlays/toast';
import { usePermits } from '@/lib/browser/access/use-permissions';
import { keyboardHelp } from '@/lib/browser/keyboard-help';
import { isOpenTo, NAV } from '../nav-items';

/** Not in the first load of a page. */
const importDialogs = async () => ({
  ...(await import('./finder-dialog')),
  ...(await import('./shortcuts-dialog')),
});
type Dialogs = Awaited<ReturnType<typeof importDialogs>>;
/** By then the page is complete. The finder must open even if the console is unreachable later. */
const PRELOAD_AFTER_MS = 3_000;
/** The second key of a sequence comes within this time. */
const SEQUENCE_MS = 1_500;

/** The box at the top of every page, and the keys that work on every page. */
export function Finder() {
  const [dialogs, setDialogs] = useState<Dialogs | null>(null);
  const [open, setOpen] = useState(false);
  const ahead = useTypedAhead(open && dialogs === null);
  const helpOpen = useSyncExternalStore(keyboardHelp.subscribe, keyboardHelp.get, () => false);
  const load = useCallback(() => importDialogs().then(setDialogs), []);
  useEffect(() => {
    // A failure is reported when a user needs it: then it is loaded once more.
    const timer = setTimeout(() => void load().catch(() => undefined), PRELOAD_AFTER_MS);
    return () => clearTimeout(timer);
  }, [load]);
  const isWanted = open || helpOpen;
  useEffect(() => {
    if (!isWanted || dialogs) return;
    load().catch(() => {
      setOpen(false);
      keyboardHelp.set(false);
      toast.error('This part of the page could not be loaded. Check the connection and try again.');
    });
  }, [isWanted, dialogs, load]);
  useGlobalKeys(() => setOpen(true));
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}
        onPointerEnter={() => void load().catch(() => undefined)}
        className="flex h-7 min-w-0 items-center gap-2 rounded border border-line-strong bg-canvas px-2 text-faint text-sm hover:bg-hover max-sm:border-transparent max-sm:bg-transparent sm:w-72"
      >
        <Search aria-hidden className="size-3.5 shrink-0 max-sm:size-4" />
        <span className="flex-1 truncate text-left max-sm:sr-only">Find a job, queue, action …</span>
        <span aria-hidden className="flex gap-0.5 max-md:hidden">
          <Kbd>Ctrl</Kbd>
          <Kbd>K</Kbd>
        </span>
      </button>
      {dialogs && open && (
        <dialogs.FinderDialog
          first={ahead}
          onClose={() => setOpen(false)}
          onShortcuts={() => keyboardHelp.set(true)}
        />
      )}
      {dialogs && helpOpen && <dialogs.ShortcutsDialog onClose={() => keyboardHelp.set(false)} />}
    </>
  );
}

/** What is typed while the finder is on its way: the keys are not for the page, and none is lost. */
function useTypedAhead(isWaiting: boolean): string {
  const [typed, setTyped] = useState('');
  const [wasWaiting, setWasWaiting] = useState(isWaiting);
  if (wasWaiting !== isWaiting) {
    setWasWaiting(isWaiting);
    if (isWaiting) setTyped('');
  }
  useEffect(() => {
    if (!isWaiting) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'Backspace') setTyped((before) => before.slice(0, -1));
      else if (event.key.length === 1) setTyped((before) => before + event.key);
      else if (event.key !== 'Enter') return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [isWaiting]);
  return typed;
}

/** Ctrl-K or Cmd-K, also while typing; `?` and `g` with a second key, otherwise. */
function useGlobalKeys(onFind: () => void): void {
  const openPage = useOpenPage();
  const may = usePermits();
  const pressedAtMs = useRef(Number.NEGATIVE_INFINITY);
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (isOverlayOpen()) return;
    if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      return onFind();
    }
    if (event.metaKey || event.ctrlKey || event.altKey || isTypingIn(event.target)) return;
    const isSecond = event.timeStamp - pressedAtMs.current < SEQUENCE_MS;
    pressedAtMs.current = Number.NEGATIVE_INFINITY;
    const page = isSecond ? NAV.find(({ shortcut }) => shortcut === event.key) : undefined;
    if (page && isOpenTo(page, may)) {
      event.preventDefault();
      // A list on the page must not act on the second key.
      event.stopPropagation();
      return openPage(page.href);
    }
    if (event.key === 'g') pressedAtMs.current = event.timeStamp;
    if (event.key === '?') {
      event.preventDefault();
      keyboardHelp.set(true);
    }
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener('keydown', listener, { capture: true });
    return () => document.removeEventListener('keydown', listener, { capture: true });
  }, []);
}

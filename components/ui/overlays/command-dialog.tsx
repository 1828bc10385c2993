'use client';
import { Dialog as D } from 'radix-ui';
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react';
import { Search } from '@/components/ui/icons';
import { type CommandItem, CommandOption } from './command-option';
import { overlayStyles } from './dialog';
import { useFocusReturn } from './use-focus-return';

export interface CommandGroup {
  readonly label: string;
  readonly items: readonly CommandItem[];
}

type Modifiers = Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'shiftKey'>;
/** Enter then takes the list as it is: a source may not answer. */
const ENTER_WAIT_MS = 2_000;

/** A box to type in and a list to choose from: a combobox whose list is always open. */
export function CommandDialog({
  title,
  placeholder,
  typed,
  onType,
  groups,
  isSettled = true,
  status,
  footer,
  onClose,
}: {
  title: string;
  placeholder: string;
  typed: string;
  onType: (typed: string) => void;
  groups: readonly CommandGroup[];
  /** The list belongs to the typed text. Until then Enter waits, or it would choose from the list of an earlier text. */
  isSettled?: boolean;
  /** Read out, and shown under the list. */
  status: string;
  footer?: ReactNode;
  onClose: () => void;
}) {
  const id = useId();
  const focusReturn = useFocusReturn();
  const list = useRef<HTMLDivElement>(null);
  const chosen = useRef<CommandItem | null>(null);
  // By key, so that an item stays active when others come in above it.
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const [entered, setEntered] = useState<Modifiers | null>(null);
  const items = groups.flatMap((group) => group.items);
  const active = items.find(({ key }) => key === activeKey) ?? items[0];
  const optionId = (key: string) => `${id}-${key}`;

  const choose = (item: CommandItem) => {
    if (item.stays) return item.choose();
    chosen.current = item;
    onClose();
  };
  const onLink = (item: CommandItem, event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    // While the console cannot be reached, the shell takes clicks on links.
    if (event.defaultPrevented) return onClose();
    event.preventDefault();
    choose(item);
  };
  /** Enter on a link is a click on it, with Ctrl into another tab. */
  const enter = (item: CommandItem, { ctrlKey, metaKey, shiftKey }: Modifiers) => {
    if (item.href === undefined) return choose(item);
    const click = { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey };
    document.getElementById(optionId(item.key))?.dispatchEvent(new window.MouseEvent('click', click));
  };
  const enterActive = useEffectEvent((modifiers: Modifiers) => {
    setEntered(null);
    if (active) enter(active, modifiers);
  });
  useEffect(() => {
    if (entered === null) return;
    if (isSettled) return enterActive(entered);
    const timer = setTimeout(() => enterActive(entered), ENTER_WAIT_MS);
    return () => clearTimeout(timer);
  }, [entered, isSettled]);
  const moveTo = (index: number) => {
    const next = items[(index + items.length) % items.length];
    if (!next) return;
    setActiveKey(next.key);
    document.getElementById(optionId(next.key))?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter also ends the input of a letter that is composed.
    if (event.nativeEvent.isComposing) return;
    const at = active ? items.indexOf(active) : -1;
    const steps: Readonly<Record<string, () => void>> = {
      ArrowDown: () => moveTo(at + 1),
      ArrowUp: () => moveTo(at - 1),
      PageDown: () => moveTo(Math.min(items.length - 1, at + 8)),
      PageUp: () => moveTo(Math.max(0, at - 8)),
      // An item that the arrows chose stays the chosen one, whatever else arrives.
      Enter: () => {
        const { ctrlKey, metaKey, shiftKey } = event;
        if (isSettled || activeKey !== null) active && enter(active, event);
        else setEntered({ ctrlKey, metaKey, shiftKey });
      },
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    step();
  };
  return (
    <D.Root open onOpenChange={(open) => !open && onClose()}>
      <D.Portal>
        <D.Overlay className={overlayStyles} />
        <D.Content
          aria-describedby={undefined}
          className="fixed inset-x-2 top-2 z-50 flex max-h-[min(34rem,calc(100dvh-1rem))] flex-col rounded-lg border border-line-strong bg-raised outline-none sm:inset-x-auto sm:top-[12vh] sm:left-1/2 sm:max-h-[min(34rem,76dvh)] sm:w-[min(40rem,calc(100vw-2rem))] sm:-translate-x-1/2"
          onOpenAutoFocus={focusReturn.onOpenAutoFocus}
          onCloseAutoFocus={() => {
            focusReturn.onCloseAutoFocus();
            // After the focus is back where it was: the chosen action may open a dialog, which returns the focus there.
            const item = chosen.current;
            if (item) setTimeout(item.choose, 0);
          }}
        >
          <D.Title className="sr-only">{title}</D.Title>
          <div className="flex items-center gap-2 border-line border-b px-3">
            <Search aria-hidden className="size-4 shrink-0 text-faint" />
            <input
              role="combobox"
              aria-label={title}
              aria-expanded
              aria-controls={`${id}-list`}
              aria-autocomplete="list"
              aria-activedescendant={active ? optionId(active.key) : undefined}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              maxLength={200}
              placeholder={placeholder}
              value={typed}
              onChange={({ target }) => {
                setActiveKey(null);
                setEntered(null);
                list.current?.scrollTo?.({ top: 0 });
                onType(target.value);
              }}
              onKeyDown={onKeyDown}
              className="h-11 min-w-0 flex-1 bg-transparent text-base outline-none placeholder:text-faint"
            />
          </div>
          <div
            ref={list}
            id={`${id}-list`}
            role="listbox"
            aria-label={title}
            className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-1 empty:hidden"
          >
            {groups.map(
              (group) =>
                group.items.length > 0 && (
                  // biome-ignore lint/a11y/useSemanticElements: a fieldset may not be in a listbox
                  <div key={group.label} role="group" aria-label={group.label}>
                    <p aria-hidden className="px-2 pt-1.5 pb-0.5 text-faint text-xs">
                      {group.label}
                    </p>
                    {group.items.map((item) => (
                      <CommandOption
                        key={item.key}
                        id={optionId(item.key)}
                        item={item}
                        active={item === active}
                        onActive={() => setActiveKey(item.key)}
                        onClick={(event) => (item.href === undefined ? choose(item) : onLink(item, event))}
                      />
                    ))}
                  </div>
                ),
            )}
          </div>
          <div className="flex min-h-8 items-center gap-3 border-line border-t px-3 py-1.5 text-faint text-xs">
            <span role="status" className="min-w-0 flex-1">
              {status}
            </span>
            {footer}
          </div>
        </D.Content>
      </D.Portal>
    </D.Root>
  );
}

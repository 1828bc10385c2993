'use client';
import { type KeyboardEvent, type RefObject, useId, useRef, useState } from 'react';
import { cn } from '@/components/ui/cn';
import { IconButton } from '@/components/ui/controls/icon-button';
import { controlStyles } from '@/components/ui/controls/input';
import { Search, X } from '@/components/ui/icons';
import { Kbd } from '@/components/ui/kbd';
import { lazyPart } from '@/components/ui/lazy-part';
import { QueryMirror, type QueryProblem, QueryProblemLine } from './query-problem';
import type { QuerySuggestion } from './query-suggestions';

const QuerySuggestions = lazyPart(() =>
  import('./query-suggestions').then((module) => module.QuerySuggestions),
);

export type QueryInputProps = {
  label: string;
  value: string;
  placeholder?: string;
  maxLength?: number;
  /** The key that leads here from anywhere on the page; null where there is none. */
  shortcut?: string | null;
  /** What may stand at the caret. Empty: no list. */
  options: readonly QuerySuggestion[];
  /** Why the text is invalid, with its position; null while it is valid or not submitted yet. */
  problem: QueryProblem | null;
  input: RefObject<HTMLInputElement | null>;
  /** The current text and the caret's position. */
  onChange: (text: string, caret: number) => void;
  /** The caret moved or the field was focused. */
  onCaret: (caret: number) => void;
  /** Accepts a suggestion; returns the caret's position. */
  onAccept: (option: QuerySuggestion) => number;
  onFix: () => void;
  onSubmit: () => void;
  onClear: () => void;
  /** Escape without an open list: discards the typed text. */
  onGiveUp: () => void;
};

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** One line of a query language: a list of what may come next, and the wrong part underlined. A combobox, by keyboard whole. */
export function QueryInput(props: QueryInputProps) {
  const { value, options, problem, input, shortcut = '/' } = props;
  const id = useId();
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const [scroll, setScroll] = useState(0);
  const caretAfter = useRef<number | null>(null);
  const shown = open && options.length > 0;
  const chosen = shown ? options[active] : undefined;
  const close = () => {
    setOpen(false);
    setActive(-1);
  };
  const accept = (option: QuerySuggestion) => {
    const caret = props.onAccept(option);
    setActive(-1);
    caretAfter.current = caret;
    input.current?.focus();
    // The field has the new text only after the next render.
    requestAnimationFrame(() => {
      if (caretAfter.current === null) return;
      input.current?.setSelectionRange(caretAfter.current, caretAfter.current);
      caretAfter.current = null;
    });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    const step = STEPS[event.key];
    if (step !== undefined && options.length > 0) {
      setOpen(true);
      setActive((now) => wrapped(now + step, options.length));
    } else if ((event.key === 'Enter' || event.key === 'Tab') && chosen) accept(chosen);
    else if (event.key === 'Enter') {
      close();
      props.onSubmit();
    } else if (event.key === 'Escape' && shown) close();
    else if (event.key === 'Escape') {
      props.onGiveUp();
      input.current?.blur();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <search className="relative block min-w-0 flex-1">
      <div className="relative">
        <Search
          aria-hidden
          className="pointer-events-none absolute top-1/2 left-2.5 z-10 size-3.5 -translate-y-1/2 text-faint"
        />
        <QueryMirror text={value} scroll={scroll} problem={problem} className={SPACING} />
        <input
          ref={input}
          type="text"
          role="combobox"
          aria-label={props.label}
          aria-expanded={shown}
          aria-controls={shown ? `${id}-list` : undefined}
          aria-activedescendant={chosen ? `${id}-${active}` : undefined}
          aria-autocomplete="list"
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? `${id}-problem` : undefined}
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="search"
          maxLength={props.maxLength}
          placeholder={props.placeholder}
          value={value}
          onChange={(event) => {
            setOpen(true);
            setActive(-1);
            props.onChange(event.target.value, event.target.selectionStart ?? event.target.value.length);
          }}
          onSelect={(event) => props.onCaret(event.currentTarget.selectionStart ?? 0)}
          onFocus={() => setOpen(true)}
          onBlur={close}
          onClick={() => setOpen(true)}
          onScroll={(event) => setScroll(event.currentTarget.scrollLeft)}
          onKeyDown={onKeyDown}
          className={cn(controlStyles, SPACING, 'peer relative h-8 bg-transparent')}
        />
        {value === '' ? (
          shortcut !== null && (
            <Kbd className="pointer-events-none absolute top-1/2 right-2 -translate-y-1/2 peer-focus:invisible max-md:hidden">
              {shortcut}
            </Kbd>
          )
        ) : (
          <IconButton
            label="Clear the query"
            size="sm"
            className="absolute top-1 right-1"
            onClick={() => {
              props.onClear();
              input.current?.focus();
            }}
          >
            <X aria-hidden />
          </IconButton>
        )}
        {shown && (
          <QuerySuggestions id={id} label={props.label} options={options} active={active} onAccept={accept} />
        )}
      </div>
      {problem && <QueryProblemLine id={`${id}-problem`} problem={problem} onFix={props.onFix} />}
    </search>
  );
}

/** The field and what underlines its text must agree to the pixel. */
const SPACING = 'pr-8 pl-7.5 font-mono text-xs max-sm:text-lg';

/** Past either end nothing is active (-1), then the other end. */
const wrapped = (index: number, count: number): number =>
  index >= count ? -1 : index < -1 ? count - 1 : index;

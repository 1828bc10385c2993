'use client';
import { useState } from 'react';
import { WrapText } from '@/components/ui/icons';
import { revealHidden } from '@/lib/format/display-text';
import { cn } from '../cn';
import { CopyButton } from '../controls/copy-button';
import { IconButton } from '../controls/icon-button';

const LIMIT = 100_000;

/** Text as it is, hidden characters made visible. Copying takes the whole original. */
export function CodeBlock({
  text,
  label,
  wrap: initial = true,
  className,
}: {
  text: string;
  label: string;
  wrap?: boolean;
  /** Bounds the height: `max-h-…`. */
  className?: string;
}) {
  const [wrap, setWrap] = useState(initial);
  const shown = text.length > LIMIT ? text.slice(0, LIMIT) : text;
  return (
    <div className="relative min-w-0 rounded border border-line bg-sunken">
      <div className="absolute top-1 right-1 z-10 flex gap-0.5 rounded bg-sunken">
        <IconButton
          label="Wrap lines"
          size="sm"
          aria-pressed={wrap}
          onClick={() => setWrap(!wrap)}
          className={cn(wrap && 'text-accent')}
        >
          <WrapText aria-hidden />
        </IconButton>
        <CopyButton text={text} label={`Copy ${label}`} />
      </div>
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
        tabIndex={0}
        className={cn('max-h-96 overflow-auto p-2 pr-16', className)}
      >
        <pre
          translate="no"
          className={cn(
            'font-mono text-xs leading-4.5',
            wrap && 'whitespace-pre-wrap [overflow-wrap:anywhere]',
          )}
        >
          {revealHidden(shown, '\n\t')}
        </pre>
        {shown.length < text.length && (
          <p className="mt-2 text-faint text-xs">
            The first {LIMIT.toLocaleString('en-US')} of {text.length.toLocaleString('en-US')} characters.
            Copy takes all.
          </p>
        )}
      </section>
    </div>
  );
}

'use client';
import { useMemo } from 'react';
import { readJson } from '@/lib/format/json';
import { cn } from './cn';
import { CodeBlock } from './code-block';
import { CopyButton } from './copy-button';
import { JsonBranch } from './json-branch';

const WHY = {
  invalid: 'Not JSON, so shown as text.',
  deep: 'Nested too deeply for a tree, so shown as text.',
  large: 'Too large for a tree, so shown as text.',
} as const;

/**
 * JSON text as a tree that opens and closes. Takes text rather than a value, so numbers beyond 2^53 stay exact and
 * nothing has been lost before it gets here. Any text is safe: what is no JSON, or too much of it, is shown raw.
 */
export function JsonTree({
  text,
  label,
  open = 2,
  mask,
  className,
}: {
  text: string;
  label: string;
  /** Levels that start open. */
  open?: number;
  /** A string that stands for a hidden value: shown as a lock. */
  mask?: string;
  className?: string;
}) {
  const result = useMemo(() => readJson(text), [text]);
  if (!result.ok) {
    return (
      <div className="space-y-1">
        {text.trim() !== '' && <p className="text-faint text-xs">{WHY[result.reason]}</p>}
        <CodeBlock text={text} label={label} className={className} />
      </div>
    );
  }
  return (
    <div data-slot="json-tree" className="relative min-w-0 rounded border border-line bg-sunken">
      <div className="absolute top-1 right-1 z-10 rounded bg-sunken">
        <CopyButton text={text} label={`Copy ${label}`} />
      </div>
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
        tabIndex={0}
        className={cn('max-h-96 overflow-auto p-2 pr-9 font-mono text-xs leading-4.5', className)}
      >
        {/* Another text is another tree: what was open in the last one means nothing in this one. */}
        <JsonBranch key={text} node={result.node} open={open} mask={mask} />
      </section>
    </div>
  );
}

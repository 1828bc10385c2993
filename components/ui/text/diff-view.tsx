import type { DiffLine } from '@/lib/format/diff-lines';
import { revealHidden } from '@/lib/format/display-text';
import { cn } from '../cn';

const SIGN = { same: ' ', out: '−', in: '+', gap: ' ' } as const;
const LOOK: Readonly<Record<DiffLine['kind'], string>> = {
  same: 'text-muted',
  out: 'bg-soft-bad text-bad',
  in: 'bg-soft-good text-good',
  gap: 'text-faint',
};
const WORD = { same: '', out: 'before: ', in: 'after: ', gap: '' } as const;

/** What differs between two texts, a line out and a line in. */
export function DiffView({
  label,
  lines,
  className,
}: {
  label: string;
  lines: readonly DiffLine[];
  className?: string;
}) {
  return (
    <section
      translate="no"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
      tabIndex={0}
      className={cn('max-h-60 overflow-auto py-1 font-mono text-xs leading-4.5', className)}
    >
      {lines.map((line, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text have no other identity.
        <div key={i} className={cn('whitespace-pre-wrap px-2 [overflow-wrap:anywhere]', LOOK[line.kind])}>
          <span aria-hidden className="mr-1.5 select-none">
            {SIGN[line.kind]}
          </span>
          <span className="sr-only">{WORD[line.kind]}</span>
          {revealHidden(line.text)}
        </div>
      ))}
    </section>
  );
}

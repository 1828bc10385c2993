import { duration } from '@/lib/format/duration';
import { compactNumber, fullNumber, type Numeric, percent, rate } from '@/lib/format/number';
import { cn } from '../cn';

const formats = { compact: compactNumber, full: fullNumber } as const;

/**
 * A count: compact from 10,000 up, every digit on hover and for assistive technology. `dim` greys out a zero. `atLeast`
 * marks a count that misses a part.
 */
export function Num({
  value,
  format = 'compact',
  dim,
  atLeast,
  className,
}: {
  value: Numeric;
  atLeast?: boolean;
  format?: keyof typeof formats;
  dim?: boolean;
  className?: string;
}) {
  const exact = fullNumber(value);
  const shown = formats[format](value);
  const shortened = shown !== exact;
  const zero = dim && !atLeast && (value === null || value === undefined || Number(value) === 0);
  return (
    <span
      translate="no"
      title={shortened ? exact : undefined}
      // Digits do not break by themselves.
      className={cn(atLeast && 'whitespace-nowrap', zero && 'text-faint', className) || undefined}
    >
      {atLeast && (
        <>
          <span aria-hidden className="text-bad">
            ≥{'\u2009'}
          </span>
          <span className="sr-only">at least </span>
        </>
      )}
      {shortened ? (
        <>
          <span aria-hidden>{shown}</span>
          <span className="sr-only">{exact}</span>
        </>
      ) : (
        shown
      )}
    </span>
  );
}

type FigureProps = { value: number | null | undefined; dim?: boolean; className?: string };

function Figure({ value, dim, className, children }: FigureProps & { children: string }) {
  return (
    <span translate="no" className={cn('whitespace-nowrap', dim && !value && 'text-faint', className)}>
      {children}
    </span>
  );
}

/** Events a second. */
export const Rate = (props: FigureProps) => <Figure {...props}>{rate(props.value)}</Figure>;

/** A share from 0 to 1. */
export const Percent = (props: FigureProps) => <Figure {...props}>{percent(props.value)}</Figure>;

/** "3 m 12 s", with the milliseconds on hover. `dim` greys out an unknown one. */
export function Duration({ ms, dim }: { ms: number | null | undefined; dim?: boolean }) {
  const known = ms !== null && ms !== undefined && Number.isFinite(ms);
  return (
    <span
      translate="no"
      data-slot="duration"
      title={known && Math.abs(ms) >= 1_000 ? `${fullNumber(Math.round(ms))} ms` : undefined}
      className={cn('whitespace-nowrap', dim && !known && 'text-faint')}
    >
      {duration(ms)}
    </span>
  );
}

import { compact, full, type Numeric, percent, rate } from '@/lib/format/number';
import { cn } from './cn';

const formats = { compact, full } as const;

/**
 * A count: compact from 10,000 up, every digit on hover and for assistive technology. `dim` greys out a zero. `atLeast`
 * says that some of it could not be counted, so that a part never passes for the whole.
 */
export function Num({
  value,
  unit,
  format = 'compact',
  dim,
  atLeast,
  className,
}: {
  value: Numeric;
  unit?: string;
  atLeast?: boolean;
  format?: keyof typeof formats;
  dim?: boolean;
  className?: string;
}) {
  const exact = full(value);
  const shown = formats[format](value);
  const shortened = shown !== exact;
  const zero = dim && !atLeast && (value === null || value === undefined || Number(value) === 0);
  return (
    <span
      data-slot="num"
      title={shortened ? `${exact}${unit ? ` ${unit}` : ''}` : undefined}
      className={cn('whitespace-nowrap', zero && 'text-faint', className)}
    >
      {atLeast && (
        <>
          <span aria-hidden className="text-bad">
            ≥{'\u2009'}
          </span>
          <span className="sr-only">at least </span>
        </>
      )}
      <span aria-hidden={shortened || undefined}>{shown}</span>
      {shortened && <span className="sr-only">{exact}</span>}
      {unit && <span className="text-faint"> {unit}</span>}
    </span>
  );
}

/** Events a second. */
export function Rate({
  value,
  dim,
  className,
}: {
  value: number | null | undefined;
  dim?: boolean;
  className?: string;
}) {
  return (
    <span className={cn('whitespace-nowrap', dim && !value && 'text-faint', className)}>{rate(value)}</span>
  );
}

/** A share from 0 to 1. */
export function Percent({
  value,
  dim,
  className,
}: {
  value: number | null | undefined;
  dim?: boolean;
  className?: string;
}) {
  return (
    <span className={cn('whitespace-nowrap', dim && !value && 'text-faint', className)}>
      {percent(value)}
    </span>
  );
}

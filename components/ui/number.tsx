import { compact, full, type Numeric, percent, rate } from '@/lib/format/number';
import { cn } from './cn';

const formats = { compact, full } as const;

/** A count: compact from 10,000 up, every digit on hover and for assistive technology. `dim` greys out a zero. */
export function Num({
  value,
  unit,
  format = 'compact',
  dim,
  className,
}: {
  value: Numeric;
  unit?: string;
  format?: keyof typeof formats;
  dim?: boolean;
  className?: string;
}) {
  const exact = full(value);
  const shown = formats[format](value);
  const shortened = shown !== exact;
  const zero = dim && (value === null || value === undefined || Number(value) === 0);
  return (
    <span
      data-slot="num"
      title={shortened ? `${exact}${unit ? ` ${unit}` : ''}` : undefined}
      className={cn('whitespace-nowrap', zero && 'text-faint', className)}
    >
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

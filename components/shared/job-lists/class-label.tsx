import { cn } from '@/components/ui/cn';
import type { Tone } from '@/components/ui/tone';
import { ERROR_CLASS_MEANING, type ErrorClass } from '@/lib/contract/jobs/error-classes';

/** Red for classes that a retry does not fix. */
const CLASS_TONES: Readonly<Record<ErrorClass, Tone>> = {
  retryable: 'warn',
  'rate-limited': 'warn',
  permanent: 'bad',
  malformed: 'bad',
  'unsupported-version': 'bad',
  deadline: 'neutral',
  crash: 'bad',
  cancelled: 'neutral',
};

const DOT: Readonly<Partial<Record<Tone, string>>> = { warn: 'bg-warn', bad: 'bg-bad' };

/** The error class as a dot and its name, as queries and settings say it; its meaning on hover. */
export function ClassLabel({ value }: { value: ErrorClass }) {
  return (
    <span
      title={`${value}: ${ERROR_CLASS_MEANING[value]}`}
      className="inline-flex min-w-0 max-w-full items-center gap-1.5 whitespace-nowrap"
    >
      <span
        aria-hidden
        className={cn('size-1.5 shrink-0 rounded-full', DOT[CLASS_TONES[value]] ?? 'bg-faint')}
      />
      <span className="truncate">{value}</span>
    </span>
  );
}

import { cn } from '@/components/ui/cn';
import type { Tone } from '@/components/ui/tone';
import { ERROR_CLASS_MEANING, type ErrorClass } from '@/lib/contract/jobs/error-classes';

/** Red for classes that a retry does not fix. */
const CLASS_LOOK: Readonly<Record<ErrorClass, { word: string; tone: Tone }>> = {
  retryable: { word: 'retryable', tone: 'warn' },
  'rate-limited': { word: 'rate limit', tone: 'warn' },
  permanent: { word: 'permanent', tone: 'bad' },
  malformed: { word: 'malformed', tone: 'bad' },
  'unsupported-version': { word: 'version', tone: 'bad' },
  deadline: { word: 'deadline', tone: 'neutral' },
  crash: { word: 'crash', tone: 'bad' },
  cancelled: { word: 'cancelled', tone: 'neutral' },
};

const DOT: Readonly<Partial<Record<Tone, string>>> = { warn: 'bg-warn', bad: 'bg-bad' };

/** The error class as a dot and a short word; its meaning on hover. */
export function ClassLabel({ value }: { value: ErrorClass }) {
  const { word, tone } = CLASS_LOOK[value];
  return (
    <span
      title={`${value}: ${ERROR_CLASS_MEANING[value]}`}
      className="inline-flex min-w-0 max-w-full items-center gap-1.5 whitespace-nowrap"
    >
      <span aria-hidden className={cn('size-1.5 shrink-0 rounded-full', DOT[tone] ?? 'bg-faint')} />
      <span className="truncate">{word}</span>
    </span>
  );
}

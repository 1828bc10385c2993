import { Badge } from '@/components/ui/badge';
import type { Tone } from '@/components/ui/tone';
import { ERROR_CLASS_MEANING, type ErrorClass } from '@/lib/contract/jobs/error-classes';

/** Red for classes that a retry does not fix. */
const CLASS_TONE: Readonly<Record<ErrorClass, Tone>> = {
  retryable: 'warn',
  'rate-limited': 'warn',
  permanent: 'bad',
  malformed: 'bad',
  'unsupported-version': 'bad',
  deadline: 'neutral',
  crash: 'bad',
  cancelled: 'neutral',
};

export function ClassBadge({ value }: { value: ErrorClass }) {
  return (
    <Badge tone={CLASS_TONE[value]} title={ERROR_CLASS_MEANING[value]} className="max-w-full align-middle">
      <span className="truncate">{value}</span>
    </Badge>
  );
}

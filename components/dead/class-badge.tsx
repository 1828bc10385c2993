import { Badge } from '@/components/ui/badge';
import type { Tone } from '@/components/ui/tone';
import { CLASS_MEANING, type ErrorClass } from '@/lib/contract/failures';

/** What the class says about trying again, which is what one looks for here. */
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
    <Badge tone={CLASS_TONE[value]} title={CLASS_MEANING[value]} className="max-w-full align-middle">
      <span className="truncate">{value}</span>
    </Badge>
  );
}

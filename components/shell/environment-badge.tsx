import { cn } from '@/components/ui/cn';
import type { ConsoleEnvironment } from '@/lib/contract/environment-colors';

const LOOKS: Readonly<Record<ConsoleEnvironment['color'], { badge: string; line: string }>> = {
  gray: { badge: 'border-line-strong bg-hover text-muted', line: 'bg-line-strong' },
  red: { badge: 'border-bad/40 bg-bad/11 text-bad', line: 'bg-bad' },
  amber: { badge: 'border-warn/40 bg-warn/11 text-warn', line: 'bg-warn' },
  green: { badge: 'border-good/40 bg-good/11 text-good', line: 'bg-good' },
  blue: { badge: 'border-accent/40 bg-accent/11 text-accent', line: 'bg-accent' },
  violet: {
    badge: 'border-state-in-flight/40 bg-state-in-flight/11 text-state-in-flight',
    line: 'bg-state-in-flight',
  },
};

/** Which installation this is: its name, and its colour along the top edge. */
export function EnvironmentBadge({ environment: { name, color } }: { environment: ConsoleEnvironment }) {
  const { badge, line } = LOOKS[color];
  return (
    <>
      <span aria-hidden className={cn('absolute inset-x-0 top-0 h-0.5', line)} />
      <span
        title={`Environment: ${name}`}
        className={cn('max-w-40 truncate rounded-sm border px-1.5 font-medium text-xs leading-4.5', badge)}
      >
        <span className="sr-only">Environment: </span>
        {name}
      </span>
    </>
  );
}

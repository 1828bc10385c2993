import { Num } from '@/components/ui/number';
import { StackedBar } from '@/components/ui/stacked-bar';
import type { Outcome } from '@/lib/contract/operations';
import { outcomeParts } from './words';

/** What became of the jobs it put back. */
export function OutcomeBar({ outcome, className }: { outcome: Outcome; className?: string }) {
  return <StackedBar label="Of those moved" segments={outcomeParts(outcome)} className={className} />;
}

/** The numbers behind the bar; parts that are nothing are left out, but for what everybody looks for. */
export function OutcomeLegend({ outcome }: { outcome: Outcome }) {
  const shown = outcomeParts(outcome).filter(
    ({ value, label }) => value > 0 || label === 'Completed' || label === 'Died again',
  );
  return (
    <ul className="flex flex-wrap gap-x-3 gap-y-0.5 text-muted text-xs">
      {shown.map(({ label, value, color }) => (
        <li key={label} className="flex items-center gap-1">
          <span aria-hidden className="size-2 rounded-xs" style={{ backgroundColor: color }} />
          <Num value={value} className="font-medium text-fg" /> {label.toLowerCase()}
        </li>
      ))}
    </ul>
  );
}

import { StackedBar } from '@/components/ui/stacked-bar';
import type { Outcome } from '@/lib/contract/operations';
import { outcomeParts } from './words';

/** What became of the jobs it put back. */
export function OutcomeBar({ outcome, className }: { outcome: Outcome; className?: string }) {
  return <StackedBar label="Of those moved" segments={outcomeParts(outcome)} className={className} />;
}

'use client';
import { describeRate } from '@/components/operations/operation-rate';
import { KeyValue } from '@/components/ui/key-value';
import { lazyPart } from '@/components/ui/lazy-part';
import { Panel } from '@/components/ui/panel';
import { Skeleton } from '@/components/ui/skeleton';
import { useMay } from '@/lib/browser/access/use-permissions';
import type { Operation } from '@/lib/contract/operations/operation';
import { isOpen, RERUNS } from '@/lib/contract/operations/operation-kinds';
import { duration } from '@/lib/format/duration';
import { percent } from '@/lib/format/number';
import { canaryText } from './labels';

const RateForm = lazyPart(
  () => import('./rate-form').then((module) => module.RateForm),
  <Skeleton className="h-40 w-full opacity-40" />,
);

/** Rate, canary and automatic stop; adjustable while the operation is open. */
export function RatePanel({ operation }: { operation: Operation }) {
  const may = useMay('operate');
  return (
    <Panel title="Rate and safety">
      {may && isOpen(operation.status) ? (
        <RateForm operation={operation} />
      ) : (
        <RateSummary operation={operation} />
      )}
    </Panel>
  );
}

const stopText = ({ stop }: Operation): string =>
  stop === null
    ? 'none'
    : `above ${percent(stop.maxDiedAgain)} failures within ${duration(stop.windowMs)}, of at least ${stop.minEnded} ended jobs`;

function RateSummary({ operation }: { operation: Operation }) {
  return (
    <KeyValue
      items={[
        { label: 'Rate', value: describeRate(operation.rate) },
        ...(RERUNS.has(operation.kind)
          ? [
              { label: 'Canary', value: canaryText(operation) },
              { label: 'Automatic stop', value: stopText(operation) },
            ]
          : []),
      ]}
    />
  );
}

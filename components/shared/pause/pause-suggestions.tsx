'use client';
import { useState } from 'react';
import { cn } from '@/components/ui/cn';
import { useBreakdown } from '@/lib/browser/queues/use-breakdown';
import { readyLabel, readySourceLabel } from '../breakdown-labels';

const SHOWN = 8;

/** The tenants or job types with the most ready jobs, to choose with one click. */
export function PauseSuggestions({
  queue,
  kind,
  chosen,
  onChoose,
}: {
  queue: string;
  kind: 'tenant' | 'type';
  chosen: string;
  onChoose: (name: string) => void;
}) {
  const { data: latest } = useBreakdown(queue, { held: true });
  // Names must not move under the pointer: the first answer stays.
  const [data, setData] = useState(latest);
  if (!data && latest) setData(latest);
  const shares = data ? (kind === 'tenant' ? data.tenants : data.types) : [];
  const label = kind === 'tenant' ? 'Tenants of this queue' : 'Job types of this queue';
  return (
    <div className="min-h-14">
      <ul aria-label={label} className="flex flex-wrap gap-1.5">
        {shares.slice(0, SHOWN).map(({ name, ready }) => (
          <li key={name} className="min-w-0">
            <button
              type="button"
              aria-pressed={name === chosen}
              onClick={() => onChoose(name)}
              className={cn(
                'flex h-6 max-w-full items-center gap-1.5 rounded border px-2 text-xs hover:bg-hover',
                name === chosen ? 'border-accent bg-soft-info' : 'border-line-strong',
              )}
            >
              <span translate="no" className="truncate font-mono">
                {name}
              </span>
              <span className="text-faint">{readyLabel(ready, data?.ready.exact ?? true)}</span>
            </button>
          </li>
        ))}
      </ul>
      {data && (
        <p className="mt-1 text-faint text-xs">
          {shares.length === 0
            ? 'No jobs to choose from.'
            : `Counts of ready jobs. ${readySourceLabel(data)}`}
        </p>
      )}
    </div>
  );
}

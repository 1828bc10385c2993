import { cn } from '@/components/ui/cn';
import { Panel } from '@/components/ui/panel';

/** As high as the charts of the history, until their script is loaded. */
export function HistoryPlace({ title, charts }: { title: string; charts: number }) {
  return (
    <Panel title={title}>
      <div className={cn('grid gap-x-4 gap-y-3 md:grid-cols-2', charts > 2 && 'xl:grid-cols-3')}>
        {Array.from({ length: charts }, (_, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity.
          <div key={i} className="min-h-48" />
        ))}
      </div>
      <div className="mt-1 min-h-4 max-sm:min-h-8" />
    </Panel>
  );
}

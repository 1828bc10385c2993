import type { Worker } from '@/lib/contract/workers';
import { visible } from '@/lib/format/text';

type Handler = Worker['handlers'][number];

const SHOWN = 6;

/** The job types a worker runs, and in which versions: what explains that it leaves others waiting. */
export function WorkerHandlers({ handlers }: { handlers: Worker['handlers'] }) {
  if (handlers.length === 0) return null;
  const sorted = [...handlers].sort((a, b) => (a.type < b.type ? -1 : 1));
  const rest = sorted.slice(SHOWN);
  return (
    <div className="px-3 pt-0.5 text-muted text-xs">
      <div className="flex gap-x-2">
        <span className="text-faint">runs</span>
        <Types handlers={sorted.slice(0, SHOWN)} label="Job types it runs" />
      </div>
      {rest.length > 0 && (
        <details>
          <summary className="w-fit cursor-pointer hover:underline">and {rest.length} more</summary>
          <Types handlers={rest} label="Further job types it runs" />
        </details>
      )}
    </div>
  );
}

function Types({ handlers, label }: { handlers: readonly Handler[]; label: string }) {
  return (
    <ul aria-label={label} className="flex min-w-0 flex-wrap gap-x-3">
      {handlers.map(({ type, versions }) => (
        <li key={type} className="min-w-0 break-words">
          {visible(type)}{' '}
          <span className="text-faint">{versions.map((version) => `v${version}`).join(', ')}</span>
        </li>
      ))}
    </ul>
  );
}

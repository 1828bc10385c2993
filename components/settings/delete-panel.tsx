'use client';
import { Trash2 } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { Panel } from '@/components/ui/panel';
import { useAskOperation } from '@/lib/client/ask-operation';
import { useOffer } from '@/lib/client/permissions';

/** The end of a queue: the wizard counts what goes with it, and asks for its name. */
export function DeletePanel({ queue }: { queue: string }) {
  const ask = useAskOperation();
  const { missing } = useOffer('destroy', queue);
  return (
    <Panel title="Delete this queue">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="max-w-prose text-muted text-sm">
          Deletes the queue with all its jobs, their history, its settings and its pauses. Nothing brings them
          back.
          {missing !== null && <span className="mt-1 block text-faint text-xs">{missing}</span>}
        </p>
        <Button
          variant="danger"
          disabled={missing !== null}
          onClick={() => ask({ kind: 'delete-queue', scope: { state: 'dead', q: '', queue } })}
        >
          <Trash2 aria-hidden />
          Delete queue…
        </Button>
      </div>
    </Panel>
  );
}

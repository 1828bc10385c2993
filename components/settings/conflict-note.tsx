'use client';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import type { Difference } from './words';

/** Somebody else saved while this form was being edited: what, and the choice that leaves nothing overwritten unseen. */
export function ConflictNote({
  meanwhile,
  onTakeOver,
  onDiscard,
}: {
  meanwhile: readonly Difference[];
  onTakeOver: () => void;
  onDiscard: () => void;
}) {
  return (
    <Callout tone="warn" title="The settings were changed meanwhile">
      {meanwhile.length === 0 ? (
        'They ended up as they were.'
      ) : (
        <ul className="mt-1">
          {meanwhile.map(({ id, label, before, after }) => (
            <li key={id}>
              <span className="text-fg">{label}</span>: {before} <span aria-hidden>→</span>
              <span className="sr-only">became</span> <span className="text-fg">{after}</span>
            </li>
          ))}
        </ul>
      )}
      <span className="mt-2 flex flex-wrap gap-2">
        <Button size="sm" variant="primary" onClick={onTakeOver}>
          Keep my edits over these
        </Button>
        <Button size="sm" onClick={onDiscard}>
          Discard my edits
        </Button>
      </span>
    </Callout>
  );
}

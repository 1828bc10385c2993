'use client';
import { useRef } from 'react';
import { newRowsLabel, useListHold, useWhileHeld } from '@/components/shared/use-list-hold';
import { useListKeys } from '@/components/shared/use-list-keys';
import { EmptyState } from '@/components/ui/empty-state';
import { CircleCheck } from '@/components/ui/icons';
import { Panel } from '@/components/ui/panel';
import type { Alert, Alerts } from '@/lib/contract/alerts/alert-schemas';
import { LiveAlert } from './live-alert';

/** Alerts that stand, the worst first. They keep their places while the pointer or the focus is on one. */
export function LivePanel({ alerts }: { alerts: Alerts | undefined }) {
  const region = useRef<HTMLUListElement>(null);
  useListKeys(region);
  const { held, handlers } = useListHold();
  const latest = alerts?.live ?? null;
  const shown = inPlace(useWhileHeld(held, latest, 'live'), latest);
  const label = held && shown && latest ? newRowsLabel(shown.map(idOf), latest.map(idOf)) : null;
  return (
    <Panel
      flush
      // Room for several, so that a new one moves nothing below.
      className="min-h-100"
      title="Now"
      aside={label && <span role="status">{label}, shown when the pointer leaves the list</span>}
    >
      {shown === null ? (
        <div className="h-40" aria-busy />
      ) : shown.length === 0 ? (
        <EmptyState
          icon={<CircleCheck />}
          title={alerts?.fresh === false ? 'Alerts are not known while Redis cannot be read' : 'No alerts'}
        >
          An alert is a finding of the overview that lasts. It is sent to the channels, and shows here.
        </EmptyState>
      ) : (
        <ul ref={region} aria-label="Alerts" className="divide-y divide-line" {...handlers}>
          {shown.map((alert) => (
            <LiveAlert
              key={alert.id}
              alert={alert}
              silence={alerts?.silences.find(({ id }) => id === alert.silencedBy)}
            />
          ))}
        </ul>
      )}
    </Panel>
  );
}

const idOf = ({ id }: Alert) => id;

/** Rows stay, and what they say is the latest: an acknowledged alert shows it under the pointer that did it. */
const inPlace = (held: readonly Alert[] | null, latest: readonly Alert[] | null): readonly Alert[] | null =>
  held && latest && held !== latest
    ? held.map((alert) => latest.find(({ id }) => id === alert.id) ?? alert)
    : held;

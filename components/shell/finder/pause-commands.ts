/** Pauses as commands of the finder; pure. */
import type { FinderCommand } from './setting-commands';

export interface PausableShare {
  readonly queue: string;
  readonly kind: 'tenant' | 'type';
  readonly name: string;
}

const NOUNS = { tenant: 'tenant', type: 'job type' } as const;

/** "Pause default…", then "Pause tenant acme in default…". `open` shows the dialog of the queue, filled in. */
export function pauseCommands(
  queues: readonly string[],
  shares: readonly PausableShare[],
  open: (queue: string, filled: Readonly<Record<string, unknown>>) => void,
): FinderCommand[] {
  const command = (label: string, queue: string, filled: Readonly<Record<string, unknown>>) => ({
    key: `pause ${label}`,
    label,
    kind: 'Action',
    choose: () => open(queue, filled),
  });
  return [
    ...queues.map((queue) => command(`Pause ${queue}…`, queue, {})),
    ...shares.map(({ queue, kind, name }) =>
      command(`Pause ${NOUNS[kind]} ${name} in ${queue}…`, queue, { kind, name }),
    ),
  ];
}

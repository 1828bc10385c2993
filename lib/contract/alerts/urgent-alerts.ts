/** Alerts that ask for a user. Without zod, for the browser. */
import type { Overview } from '../queues/queue-schemas';
import type { Alert } from './alert-schemas';

/** It was sent, and it is neither acknowledged nor silenced. */
export const isUrgent = ({ state, acknowledged, silencedBy }: Alert): boolean =>
  state === 'firing' && acknowledged === null && silencedBy === null;

export function countUrgent(alerts: readonly Alert[]): Overview['alerts'] {
  const urgent = alerts.filter(isUrgent);
  const bad = urgent.filter(({ level }) => level === 'bad').length;
  return { bad, warn: urgent.length - bad };
}

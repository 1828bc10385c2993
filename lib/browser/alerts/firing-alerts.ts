/** What the navigation says of alerts, as the part that is loaded later found it; null: none fires, or not known yet. */
import { createStore } from '../store';

export interface FiringAlerts {
  readonly count: number;
  readonly isBad: boolean;
}
export const firingAlerts = createStore<FiringAlerts | null>(null);

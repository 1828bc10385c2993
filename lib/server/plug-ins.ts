/** Features beside the core of the console. Each is registered at its start, where the feature's setting is on. */
import type { Verdict } from '@/lib/contract/queues/queue-schemas';
import { singleton } from './singleton';

export interface PlugIn {
  /** Called with the verdict of each reading of Redis, in order, and never waited for. @param at time of the reading */
  onVerdict?(verdict: Verdict, at: number): Promise<void>;
  /** The console stops. */
  close(): void;
}

export const getPlugIns = singleton('plug-ins', (): PlugIn[] => []);

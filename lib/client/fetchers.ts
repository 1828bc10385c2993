/** Reads of what the stream also carries, shared by its hooks and by polling. */

import { paths } from '@/lib/contract/api';
import type { LabState } from '@/lib/contract/lab';
import { labStateSchema } from '@/lib/contract/lab';
import type { Overview } from '@/lib/contract/queue';
import { overviewSchema } from '@/lib/contract/queue';
import type { WorkersPage } from '@/lib/contract/workers';
import { workersPageSchema } from '@/lib/contract/workers';
import { ApiError, request } from './api';

export const fetchOverview = (signal?: AbortSignal): Promise<Overview> =>
  request(paths.queues(), { schema: overviewSchema, signal });

export const fetchWorkers = (signal?: AbortSignal): Promise<WorkersPage> =>
  request(paths.workers(), { schema: workersPageSchema, signal });

/** Null when the lab is switched off, or is not this person's to see. */
export async function fetchLab(signal?: AbortSignal): Promise<LabState | null> {
  try {
    return await request(paths.lab(), { schema: labStateSchema, signal });
  } catch (error) {
    if (error instanceof ApiError && (error.code === 'NOT_FOUND' || error.code === 'FORBIDDEN')) return null;
    throw error;
  }
}

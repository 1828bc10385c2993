/** Addresses of the console's own pages, so that each is spelled once. */
import type { DeadFilter } from '@/lib/contract/dead';
import type { JobState } from '@/lib/contract/states';
import { withQuery } from './api';

const e = encodeURIComponent;

export const links = {
  overview: () => '/',
  queue: (queue: string, state?: JobState) => withQuery(`/queues/${e(queue)}`, { state }),
  queueSettings: (queue: string) => `/queues/${e(queue)}/settings`,
  job: (queue: string, id: string) => `/queues/${e(queue)}/jobs/${e(id)}`,
  dead: (filter: DeadFilter = {}) => withQuery('/dead', { ...filter }),
  operations: () => '/operations',
  schedules: () => '/schedules',
  workers: () => '/workers',
  lab: () => '/lab',
} as const;

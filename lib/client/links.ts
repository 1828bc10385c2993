/** Addresses of the console's own pages, so that each is spelled once. */
import type { AuditFilter } from '@/lib/contract/audit';
import type { JobState } from '@/lib/contract/states';
import { withQuery } from './api';

const e = encodeURIComponent;

export const links = {
  overview: () => '/',
  queue: (queue: string, state?: JobState, q?: string) => withQuery(`/queues/${e(queue)}`, { state, q }),
  queueSettings: (queue: string) => `/queues/${e(queue)}/settings`,
  job: (queue: string, id: string) => `/queues/${e(queue)}/jobs/${e(id)}`,
  /** The dead letters that match a query, as failure groups or one by one; see docs/search.md. */
  dead: (q = '', view?: 'groups' | 'rows') =>
    withQuery('/dead', { q, view: view === 'groups' ? undefined : view }),
  operations: () => '/operations',
  operation: (id: string) => `/operations/${e(id)}`,
  schedules: () => '/schedules',
  workers: () => '/workers',
  lab: () => '/lab',
  access: (tab?: 'people' | 'tokens' | 'sessions') => withQuery('/access', { tab }),
  /** The entries of the audit log that fit. */
  audit: (filter: AuditFilter = {}) => withQuery('/audit', filter),
} as const;

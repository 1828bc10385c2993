/** Paths of the console's pages. */
import type { AuditFilter } from '@/lib/contract/audit/audit-schemas';
import type { JobState } from '@/lib/contract/jobs/job-states';
import { withQuery } from './api/api-client';

const e = encodeURIComponent;

export const links = {
  overview: () => '/',
  queue: (queue: string, state?: JobState, q?: string) => withQuery(`/queues/${e(queue)}`, { state, q }),
  /** With the dialog that starts or stops draining. */
  queueDrain: (queue: string) => withQuery(`/queues/${e(queue)}`, { dialog: 'drain' }),
  queueSettings: (queue: string) => `/queues/${e(queue)}/settings`,
  job: (queue: string, id: string) => `/queues/${e(queue)}/jobs/${e(id)}`,
  /** Dead letters that match a query, as groups or rows; see docs/search.md. */
  dead: (q = '', view?: 'groups' | 'rows') =>
    withQuery('/dead', { q, view: view === 'groups' ? undefined : view }),
  operations: () => '/operations',
  operation: (id: string) => `/operations/${e(id)}`,
  /** Those with `q` in their ids. */
  schedules: (q = '') => withQuery('/schedules', { q }),
  workers: () => '/workers',
  /** What stands now, what ended, or the channels with their deliveries (of one alert). */
  alerts: (view: { tab?: 'ended' | 'channels'; alert?: string } = {}) => withQuery('/alerts', view),
  lab: () => '/lab',
  redis: () => '/redis',
  /** `find`: part of a user's name. `all`: tokens or sessions of all users. */
  access: (
    tab?: 'users' | 'tokens' | 'sessions',
    more: { find?: string; all?: 'true'; dialog?: 'new-token' } = {},
  ) => withQuery('/access', { tab, ...more }),
  apiReference: () => '/api-reference',
  apiRoute: (name: string) => `/api-reference/${e(name)}`,
  /** The audit log with a filter. */
  audit: (filter: AuditFilter = {}) => withQuery('/audit', filter),
} as const;

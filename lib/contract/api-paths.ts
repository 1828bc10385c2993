/** Paths of the HTTP API. */

export const PAGE_LIMIT_DEFAULT = 50;
export const PAGE_LIMIT_MAX = 500;

const q = encodeURIComponent;
export const paths = {
  queues: () => '/api/v1/queues',
  queue: (queue: string) => `/api/v1/queues/${q(queue)}`,
  jobs: (queue: string) => `/api/v1/queues/${q(queue)}/jobs`,
  job: (queue: string, id: string) => `/api/v1/queues/${q(queue)}/jobs/${q(id)}`,
  jobAction: (queue: string, id: string, action: string) =>
    `/api/v1/queues/${q(queue)}/jobs/${q(id)}/${action}`,
  pause: (queue: string) => `/api/v1/queues/${q(queue)}/pause`,
  resume: (queue: string) => `/api/v1/queues/${q(queue)}/resume`,
  config: (queue: string) => `/api/v1/queues/${q(queue)}/config`,
  drain: (queue: string) => `/api/v1/queues/${q(queue)}/drain`,
  sharding: (queue: string) => `/api/v1/queues/${q(queue)}/sharding`,
  changes: (queue: string) => `/api/v1/queues/${q(queue)}/changes`,
  reclaim: (queue: string) => `/api/v1/queues/${q(queue)}/reclaim`,
  dead: () => '/api/v1/dead',
  deadStream: () => '/api/v1/dead/stream',
  deadFacets: () => '/api/v1/dead/facets',
  deadGroups: () => '/api/v1/dead/groups',
  deadGroup: (group: string) => `/api/v1/dead/groups/${q(group)}`,
  suggest: () => '/api/v1/suggest',
  searches: () => '/api/v1/searches',
  search: (id: string) => `/api/v1/searches/${q(id)}`,
  me: () => '/api/v1/me',
  signInOptions: () => '/api/v1/session/options',
  /** POST signs in by password, DELETE signs out. */
  session: () => '/api/v1/session',
  sessionLink: () => '/api/v1/session/link',
  sessionReauthentication: () => '/api/v1/session/reauthentication',
  /** POST: a local user changes their own password. */
  sessionPassword: () => '/api/v1/session/password',
  /** A page, not an API call: the browser comes back signed in. `?next=/dead`; `?reauthenticate=1` confirms the identity. */
  oidcStart: () => '/sign-in/oidc',
  /** The user's own; `?all=1`: of all users (permission `access`). DELETE ends all of the user's but the present one. */
  sessions: () => '/api/v1/access/sessions',
  accessSession: (id: string) => `/api/v1/access/sessions/${q(id)}`,
  users: () => '/api/v1/access/users',
  accessUser: (id: string) => `/api/v1/access/users/${q(id)}`,
  tokens: () => '/api/v1/access/tokens',
  accessToken: (id: string) => `/api/v1/access/tokens/${q(id)}`,
  audit: () => '/api/v1/audit',
  auditCheck: () => '/api/v1/audit/check',
  auditFile: () => '/api/v1/audit/file',
  unmask: (queue: string, id: string) => `/api/v1/queues/${q(queue)}/jobs/${q(id)}/unmask`,
  operations: () => '/api/v1/operations',
  operation: (id: string) => `/api/v1/operations/${q(id)}`,
  operationPreview: () => '/api/v1/operations/preview',
  operationAction: (id: string, action: 'pause' | 'resume' | 'cancel' | 'approve' | 'reject' | 'undo') =>
    `/api/v1/operations/${q(id)}/${action}`,
  operationJobs: (id: string) => `/api/v1/operations/${q(id)}/jobs`,
  operationFile: (id: string) => `/api/v1/operations/${q(id)}/file`,
  schedules: () => '/api/v1/schedules',
  schedulePreview: () => '/api/v1/schedules/preview',
  schedule: (id: string) => `/api/v1/schedules/${q(id)}`,
  scheduleAction: (id: string, action: 'run' | 'pause' | 'resume') => `/api/v1/schedules/${q(id)}/${action}`,
  workers: () => '/api/v1/workers',
  lab: () => '/api/v1/lab',
  labBurst: () => '/api/v1/lab/burst',
  labReclaim: () => '/api/v1/lab/reclaim',
  stream: () => '/api/v1/stream',
} as const;

/**
 * Every route of the console and who may use it: the inventory that testing/security/route-inventory.route.test.ts holds against the routes there
 * are. A route that is not here fails that test.
 */

import type { Permission } from '@/lib/contract/access/grant-scopes';
import { LAB_DEFAULTS } from '@/lib/contract/lab/lab-settings';

export interface Entry {
  /** What it takes; `open`: nothing, not even a session. */
  readonly needs: Permission | 'signed-in' | 'open';
  /** What those who may use it are answered: the first time, and when others have done the same before. */
  readonly ok: readonly number[];
  /** What somebody is answered who holds every permission, elsewhere. */
  readonly out?: number;
  /** What differs, by who asks. */
  readonly but?: Readonly<Partial<Record<Asker, readonly number[]>>>;
  readonly body?: unknown;
  /** In place of the names that are usual. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
}
export const ASKERS = [
  'none',
  'expired',
  'revoked',
  'ended token',
  'out',
  'viewer',
  'operator',
  'token',
  'admin',
] as const;
export type Asker = (typeof ASKERS)[number];

const BECAUSE = { reason: 'a test' };
const JOB = 'POST /api/v1/queues/[queue]/jobs/[id]/[action]';
const TOKEN = '1-AAAAAAAAAAAAAAAA';
const timing = { cron: '0 9 * * *' };
/** Of a thing of somebody's own: theirs is another than that named here. */
const own = (status: number): Entry['but'] => ({ token: [status] });

/** A claim is a program's: whoever is signed in as a person is refused whatever their role is. See app/api/v1/queues/claims.route.test.ts. */
const NOT_PEOPLE: Entry['but'] = { admin: [403] };

/** What is asked for by a job's one route. */
export const JOB_ROUTE_ACTIONS: Readonly<Record<string, Entry>> = {
  promote: { needs: 'operate', ok: [409], out: 404, body: {} },
  redrive: { needs: 'operate', ok: [200, 409], out: 404, body: {} },
  suppress: { needs: 'operate', ok: [409, 200], out: 404, body: {} },
  restore: { needs: 'operate', ok: [409, 200], out: 404, body: {} },
  cancel: { needs: 'destroy', ok: [200, 409], out: 404, body: {} },
  purge: { needs: 'destroy', ok: [200, 409], out: 404, body: {} },
  remove: { needs: 'destroy', ok: [200, 404, 409], out: 404, body: {} },
  ack: { needs: 'work', ok: [409], out: 404, body: { token: TOKEN }, but: NOT_PEOPLE },
  fail: {
    needs: 'work',
    ok: [409],
    out: 404,
    body: { token: TOKEN, errorClass: 'permanent', errorCode: 'X', message: 'x' },
    but: NOT_PEOPLE,
  },
  extend: { needs: 'work', ok: [409], out: 404, body: { token: TOKEN, leaseMs: 1_000 }, but: NOT_PEOPLE },
  release: { needs: 'work', ok: [409], out: 404, body: { token: TOKEN }, but: NOT_PEOPLE },
};

export const INVENTORY: Readonly<Record<string, Entry>> = {
  'GET /healthz': { needs: 'open', ok: [200] },
  'GET /readyz': { needs: 'open', ok: [200] },
  'GET /metrics': { needs: 'view', ok: [200], out: 403 },
  'GET /stats': { needs: 'view', ok: [200], out: 403 },
  // Not a way in here: as if they were not there.
  'GET /sign-in/oidc': { needs: 'open', ok: [404] },
  'GET /sign-in/oidc/callback': { needs: 'open', ok: [404] },
  'HEAD /sign-in/oidc/callback': { needs: 'open', ok: [405] },
  'GET /sign-in/oidc/signed-out': { needs: 'open', ok: [303] },
  'HEAD /sign-in/oidc/signed-out': { needs: 'open', ok: [303] },

  'DELETE /api/[...rest]': { needs: 'signed-in', ok: [404] },
  'GET /api/[...rest]': { needs: 'signed-in', ok: [404] },
  'PATCH /api/[...rest]': { needs: 'signed-in', ok: [404] },
  'POST /api/[...rest]': { needs: 'signed-in', ok: [404] },
  'PUT /api/[...rest]': { needs: 'signed-in', ok: [404] },

  'GET /api/v1/me': { needs: 'signed-in', ok: [200] },
  'PUT /api/v1/me': { needs: 'signed-in', ok: [403], body: { name: 'Somebody' } },
  'PUT /api/v1/me/tables': {
    needs: 'signed-in',
    ok: [200],
    body: { density: 'compact', tables: {} },
    but: own(403),
  },
  'GET /api/v1/openapi.json': { needs: 'signed-in', ok: [200] },
  'GET /api/v1/session/options': { needs: 'open', ok: [200] },
  'POST /api/v1/session': { needs: 'open', ok: [401, 429], body: { name: 'x', password: 'y' } },
  'POST /api/v1/session/link': { needs: 'open', ok: [401, 429], body: { code: 'x' } },
  // Asked without a session: of whoever has one it would end it.
  'DELETE /api/v1/session': { needs: 'open', ok: [200] },
  'POST /api/v1/session/reauthentication': {
    needs: 'signed-in',
    ok: [401, 403, 429],
    body: { password: 'y' },
  },
  'POST /api/v1/session/password': {
    needs: 'signed-in',
    ok: [401, 403, 429],
    body: { password: 'y', newPassword: 'z', tokens: 'keep' },
  },
  'GET /api/v1/access/sessions': { needs: 'signed-in', ok: [200], but: own(403) },
  'DELETE /api/v1/access/sessions': { needs: 'signed-in', ok: [200], body: {}, but: own(403) },
  'DELETE /api/v1/access/sessions/[id]': { needs: 'signed-in', ok: [404], body: {}, but: own(403) },
  'GET /api/v1/access/tokens': { needs: 'signed-in', ok: [200], but: own(403) },
  'POST /api/v1/access/tokens': {
    needs: 'signed-in',
    ok: [201],
    out: 403,
    body: { name: 'a token', grants: [{ role: 'viewer' }] },
    but: own(403),
  },
  'DELETE /api/v1/access/tokens/[id]': { needs: 'signed-in', ok: [404], body: {}, but: own(403) },
  'GET /api/v1/access/users': { needs: 'access', ok: [200], out: 403, but: own(403) },
  'PATCH /api/v1/access/users/[id]': {
    needs: 'access',
    ok: [200],
    out: 403,
    params: { id: 'local:nobody-yet' },
    body: { disabled: true, ...BECAUSE },
    but: own(403),
  },

  'GET /api/v1/queues': { needs: 'view', ok: [200] },
  'GET /api/v1/minutes': { needs: 'view', ok: [200] },
  'GET /api/v1/history': { needs: 'view', ok: [200], query: '?from=0&to=60000' },
  'POST /api/v1/marks': {
    needs: 'operate',
    ok: [201],
    out: 404,
    body: { kind: 'deploy', text: 'x', queues: ['inside'] },
  },
  'GET /api/v1/queues/[queue]': { needs: 'view', ok: [200], out: 404 },
  'POST /api/v1/queues/[queue]/pause': { needs: 'operate', ok: [200], out: 404, body: BECAUSE },
  'POST /api/v1/queues/[queue]/resume': { needs: 'operate', ok: [200], out: 404, body: {} },
  'POST /api/v1/queues/[queue]/drain': {
    needs: 'operate',
    ok: [200],
    out: 404,
    body: { draining: false, ...BECAUSE },
  },
  'GET /api/v1/queues/[queue]/config': { needs: 'view', ok: [200], out: 404 },
  'PATCH /api/v1/queues/[queue]/config': {
    needs: 'operate',
    ok: [200],
    out: 404,
    body: { completedKeep: 500 },
  },
  'GET /api/v1/queues/[queue]/changes': { needs: 'view', ok: [200], out: 404 },
  'GET /api/v1/queues/[queue]/breakdown': { needs: 'view', ok: [200], out: 404 },
  'GET /api/v1/queues/[queue]/memory': { needs: 'view', ok: [200], out: 404 },
  'PUT /api/v1/queues/[queue]/sharding': { needs: 'operate', ok: [200], out: 404, body: { count: 1 } },
  'POST /api/v1/queues/[queue]/reclaim': { needs: 'operate', ok: [200], out: 404 },
  'POST /api/v1/queues/[queue]/claim': {
    needs: 'work',
    ok: [200],
    out: 404,
    body: { worker: 'w' },
    but: NOT_PEOPLE,
  },
  'GET /api/v1/queues/[queue]/jobs': { needs: 'view', ok: [200], out: 404 },
  'POST /api/v1/queues/[queue]/jobs': { needs: 'enqueue', ok: [201], out: 404, body: { jobType: 'a' } },
  'GET /api/v1/queues/[queue]/jobs/[id]': { needs: 'view', ok: [200], out: 404 },
  'POST /api/v1/queues/[queue]/jobs/[id]/unmask': { needs: 'unmask', ok: [200], out: 404, body: BECAUSE },
  ...Object.fromEntries(
    Object.entries(JOB_ROUTE_ACTIONS).map(([action, entry]) => [
      `${JOB} ${action}`,
      { ...entry, params: { action } },
    ]),
  ),

  'GET /api/v1/dead': { needs: 'view', ok: [200] },
  'GET /api/v1/dead/stream': { needs: 'view', ok: [200] },
  'GET /api/v1/dead/facets': { needs: 'view', ok: [200] },
  'GET /api/v1/dead/groups': { needs: 'view', ok: [200] },
  'GET /api/v1/dead/groups/[group]': { needs: 'view', ok: [200], out: 404 },
  'PATCH /api/v1/dead/groups/[group]': { needs: 'operate', ok: [200], out: 403, body: { note: 'x' } },
  'GET /api/v1/find': { needs: 'view', ok: [200], query: '?q=j-1' },
  'GET /api/v1/find/stream': { needs: 'view', ok: [200], query: '?q=j-1' },
  'GET /api/v1/suggest': { needs: 'view', ok: [200], out: 404, query: '?q=type:&caret=5&queue=inside' },
  'GET /api/v1/searches': { needs: 'view', ok: [200] },
  'POST /api/v1/searches': { needs: 'view', ok: [201], body: { name: 'mine', q: 'type:a' } },
  'DELETE /api/v1/searches/[id]': { needs: 'view', ok: [404], body: {} },

  'GET /api/v1/operations': { needs: 'view', ok: [200] },
  'POST /api/v1/operations': { needs: 'operate', ok: [409], body: { previewToken: 'x', ...BECAUSE } },
  'POST /api/v1/operations/preview': {
    needs: 'operate',
    ok: [200],
    out: 404,
    body: { kind: 'redrive', scope: { q: 'type:nothing', queue: 'inside' } },
  },
  'GET /api/v1/operations/[id]': { needs: 'view', ok: [200], out: 404 },
  'PATCH /api/v1/operations/[id]': {
    needs: 'operate',
    ok: [200, 409],
    out: 404,
    body: { rate: { perSecond: 1, keepReadyBelow: null } },
  },
  'GET /api/v1/operations/[id]/jobs': { needs: 'view', ok: [200], out: 404, query: '?outcome=skipped' },
  'GET /api/v1/operations/[id]/file': { needs: 'operate', ok: [200, 409], out: 404 },
  'POST /api/v1/operations/[id]/[action]': {
    needs: 'operate',
    ok: [200, 409],
    out: 404,
    params: { action: 'pause' },
    body: {},
  },
  'POST /api/v1/operations/[id]/undo': { needs: 'operate', ok: [409], out: 404, body: BECAUSE },

  'GET /api/v1/schedules': { needs: 'view', ok: [200] },
  'POST /api/v1/schedules': {
    needs: 'operate',
    ok: [201, 409],
    out: 404,
    body: { id: 'made', queue: 'inside', timing, job: { jobType: 'a' } },
  },
  'POST /api/v1/schedules/preview': { needs: 'view', ok: [200], body: { timing } },
  'GET /api/v1/schedules/[id]': { needs: 'view', ok: [200], out: 404 },
  'PATCH /api/v1/schedules/[id]': { needs: 'operate', ok: [200], out: 404, body: { missed: 'skip' } },
  'DELETE /api/v1/schedules/[id]': {
    needs: 'destroy',
    ok: [200, 404],
    out: 404,
    params: { id: 'to-delete' },
    body: {},
  },
  'POST /api/v1/schedules/[id]/pause': { needs: 'operate', ok: [200], out: 404, body: {} },
  'POST /api/v1/schedules/[id]/resume': { needs: 'operate', ok: [200], out: 404, body: {} },
  'POST /api/v1/schedules/[id]/run': { needs: 'enqueue', ok: [201], out: 404, body: {} },

  'GET /api/v1/workers': { needs: 'view', ok: [200] },
  'POST /api/v1/workers/requests': {
    needs: 'operate',
    ok: [200],
    body: { action: 'quiet', workers: ['w-1'], reason: 'a test' },
  },
  'GET /api/v1/workers/[id]/jobs': { needs: 'view', ok: [200], params: { id: 'w-1' } },
  'GET /api/v1/alerts': { needs: 'view', ok: [200] },
  'GET /api/v1/alerts/ended': { needs: 'view', ok: [200] },
  'GET /api/v1/alerts/deliveries': { needs: 'view', ok: [200] },
  // Its own test has one that fires: app/api/v1/alerts/alerts.route.test.ts.
  'POST /api/v1/alerts/[id]/acknowledge': { needs: 'operate', ok: [404], out: 404, body: {} },
  'POST /api/v1/alerts/silences': {
    needs: 'operate',
    ok: [201],
    out: 404,
    body: { code: 'DEEP', queue: 'inside', forMs: 60_000, ...BECAUSE },
  },
  'DELETE /api/v1/alerts/silences/[id]': { needs: 'operate', ok: [404], out: 404, body: {} },
  'POST /api/v1/alerts/channels': {
    needs: 'access',
    ok: [201],
    out: 403,
    body: { channel: { name: 'inventory', kind: 'slack', url: 'https://hooks.example.com/x' }, ...BECAUSE },
  },
  'PATCH /api/v1/alerts/channels/[name]': {
    needs: 'access',
    ok: [404],
    out: 403,
    body: { channel: { levels: ['bad'] } },
  },
  'DELETE /api/v1/alerts/channels/[name]': { needs: 'access', ok: [404], out: 403, body: {} },
  'POST /api/v1/alerts/channels/[name]/test': { needs: 'operate', ok: [404], out: 403, body: {} },
  'GET /api/v1/redis': { needs: 'view', ok: [200], out: 403 },
  'GET /api/v1/stream': { needs: 'view', ok: [200] },
  'GET /api/v1/lab': { needs: 'view', ok: [200], out: 403 },
  'PUT /api/v1/lab': { needs: 'operate', ok: [200], out: 403, body: LAB_DEFAULTS },
  'POST /api/v1/lab/burst': { needs: 'operate', ok: [202], out: 403, body: { jobs: 1 } },
  'GET /api/v1/lab/events': { needs: 'view', ok: [200], out: 403 },
  'GET /api/v1/lab/samples': { needs: 'view', ok: [200], out: 403 },
  'POST /api/v1/lab/session': { needs: 'operate', ok: [200], out: 403 },
  'POST /api/v1/lab/drill': { needs: 'operate', ok: [200], out: 403, body: { action: 'stop' } },
  'POST /api/v1/lab/reclaim': { needs: 'operate', ok: [200], out: 403 },

  // What one did oneself may be seen without the permission: it is then a short list.
  'GET /api/v1/audit': { needs: 'signed-in', ok: [200] },
  'GET /api/v1/audit/check': { needs: 'audit', ok: [200], out: 403 },
  'GET /api/v1/audit/file': { needs: 'signed-in', ok: [200, 403] },
};

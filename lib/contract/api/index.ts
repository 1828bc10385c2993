/** The HTTP API in one table: routes, OpenAPI description, reference page, client and tests read it. */

import { accessRoutes } from './access-routes';
import { alertRoutes } from './alert-routes';
import { auditRoutes } from './audit-routes';
import { jobActionRoutes } from './job-action-routes';
import { jobRoutes } from './job-routes';
import { labRoutes } from './lab-routes';
import { monitoringRoutes } from './monitoring-routes';
import { operationRoutes } from './operation-routes';
import { queueRoutes } from './queue-routes';
import { scheduleRoutes } from './schedule-routes';
import { searchRoutes } from './search-routes';
import { workerRoutes } from './worker-routes';

export const API_GROUPS = {
  Queues: queueRoutes,
  Jobs: { ...jobRoutes, ...jobActionRoutes },
  'Dead letters': searchRoutes,
  Operations: operationRoutes,
  Schedules: scheduleRoutes,
  Workers: workerRoutes,
  Alerts: alertRoutes,
  Access: accessRoutes,
  'Audit log': auditRoutes,
  Monitoring: monitoringRoutes,
  Lab: labRoutes,
} as const;

type Merge<Groups> = (Groups extends unknown ? (one: Groups) => void : never) extends (all: infer All) => void
  ? All
  : never;

export type Api = Merge<(typeof API_GROUPS)[keyof typeof API_GROUPS]>;
export type ApiRouteName = keyof Api;
/** Every route by its name, without its group. */
export const API = Object.assign({}, ...Object.values(API_GROUPS)) as Api;

/** The HTTP API in one table: routes, OpenAPI description, reference page, client and tests read it. */

import { accessRoutes } from './access-routes';
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
  Access: accessRoutes,
  'Audit log': auditRoutes,
  Monitoring: monitoringRoutes,
  Lab: labRoutes,
} as const;

export const API = {
  ...queueRoutes,
  ...jobRoutes,
  ...jobActionRoutes,
  ...searchRoutes,
  ...operationRoutes,
  ...scheduleRoutes,
  ...workerRoutes,
  ...accessRoutes,
  ...auditRoutes,
  ...monitoringRoutes,
  ...labRoutes,
} as const;
export type Api = typeof API;
export type ApiRouteName = keyof Api;

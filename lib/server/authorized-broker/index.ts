/**
 * The authorized broker: the broker as a request may use it. Every method first checks the principal's permission for each queue, tenant
 * and job concerned; lists are limited to what the principal may see. Routes have no other access to the broker.
 */
import { authorizedAlerts } from './authorized-alerts';
import { authorizedAudit } from './authorized-audit';
import { authorizedClaims } from './authorized-claims';
import { authorizedDead } from './authorized-dead';
import { authorizedFind } from './authorized-find';
import { authorizedHistory } from './authorized-history';
import { authorizedJobs } from './authorized-jobs';
import { authorizedLive } from './authorized-live';
import { authorizedOperations } from './authorized-operations';
import { authorizedQueues } from './authorized-queues';
import { authorizedRedis } from './authorized-redis';
import { authorizedSchedules } from './authorized-schedules';
import { authorizedSearches } from './authorized-searches';
import { authorizedTables } from './authorized-tables';
import { authorizedUnmask } from './authorized-unmask';
import { authorizedWorkers } from './authorized-workers';
import type { RequestContext } from './request-context';

export const authorizedBroker = (context: RequestContext) => ({
  live: authorizedLive(context),
  queues: authorizedQueues(context),
  history: authorizedHistory(context),
  jobs: authorizedJobs(context),
  claims: authorizedClaims(context),
  dead: authorizedDead(context),
  find: authorizedFind(context),
  searches: authorizedSearches(context),
  tables: authorizedTables(context),
  operations: authorizedOperations(context),
  schedules: authorizedSchedules(context),
  unmask: authorizedUnmask(context),
  workers: authorizedWorkers(context),
  redis: authorizedRedis(context),
  alerts: authorizedAlerts(context),
  audit: authorizedAudit(context),
});
export type AuthorizedBroker = ReturnType<typeof authorizedBroker>;

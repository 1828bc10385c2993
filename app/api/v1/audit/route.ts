import { auditRoutes } from '@/lib/contract/api/audit-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

/** Users see their own events; all others need the permission `audit`. */
export const GET = route(auditRoutes.listAuditEvents, {
  rate: 'audit',
  handle: ({ broker, query }) => broker.audit.list(query),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');

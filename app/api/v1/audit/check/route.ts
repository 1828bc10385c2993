import { auditRoutes } from '@/lib/contract/api/audit-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const GET = route(auditRoutes.checkAuditLog, {
  rate: 'search',
  handle: ({ broker }) => broker.audit.check(),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');

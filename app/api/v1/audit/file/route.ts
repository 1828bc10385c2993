import { auditRoutes } from '@/lib/contract/api/audit-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const dynamic = 'force-dynamic';

export const GET = route(auditRoutes.downloadAuditFile, {
  rate: 'search',
  records: true,
  handle: ({ broker, query: { format, ...filter }, request }) => broker.audit.file(format, filter, request),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');

import { auditRoutes } from '@/lib/contract/api/audit-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';
import { auditFileResponse } from '@/lib/server/routes/audit-file';

export const dynamic = 'force-dynamic';

export const GET = route(auditRoutes.downloadAuditFile, {
  rate: 'search',
  records: true,
  handle: ({ query: { format, ...filter }, ...input }) => auditFileResponse(input, format, filter),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');

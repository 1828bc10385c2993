import { auditFileQuerySchema } from '@/lib/contract/audit/audit-schemas';
import { refuseMethods, route } from '@/lib/server/http/api-route';

export const dynamic = 'force-dynamic';

export const GET = route({
  permission: 'audit',
  rate: 'search',
  records: true,
  query: auditFileQuerySchema,
  handle: ({ broker, query: { format, ...filter }, request }) => broker.audit.file(format, filter, request),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');

import { auditQuerySchema } from '@/lib/contract/audit/audit-schemas';
import { refuseMethods, route } from '@/lib/server/http/api-route';

/** Users see their own events; all others need the permission `audit`. */
export const GET = route({
  permission: 'signed-in',
  rate: 'audit',
  query: auditQuerySchema,
  handle: ({ broker, query }) => broker.audit.list(query),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');

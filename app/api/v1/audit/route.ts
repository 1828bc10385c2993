import { auditQuerySchema } from '@/lib/contract/audit';
import { refuseMethods, route } from '@/lib/server/route';

/** Whoever is signed in sees what they did themselves; the rest takes the permission `audit`. */
export const GET = route({
  permission: 'signed-in',
  rate: 'audit',
  query: auditQuerySchema,
  handle: ({ broker, query }) => broker.audit.list(query),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');

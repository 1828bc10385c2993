/** Routes of the HTTP API: audit log. */
import {
  auditCheckSchema,
  auditFileQuerySchema,
  auditPageSchema,
  auditQuerySchema,
} from '../audit/audit-schemas';
import { describeRoute } from './describe-route';

export const auditRoutes = {
  listAuditEvents: describeRoute({
    method: 'GET',
    path: '/api/v1/audit',
    summary: 'List audit events, newest first; those of others need the permission audit',
    permission: 'signed-in',
    reads: 'large',
    query: auditQuerySchema,
    reply: auditPageSchema,
    errors: ['BAD_CURSOR'],
  }),
  checkAuditLog: describeRoute({
    method: 'GET',
    path: '/api/v1/audit/check',
    summary: 'Check the chain of the newest entries',
    permission: 'audit',
    reads: 'large',
    reply: auditCheckSchema,
  }),
  downloadAuditFile: describeRoute({
    method: 'GET',
    path: '/api/v1/audit/file',
    summary: 'Download matching audit events; itself recorded',
    permission: 'audit',
    reads: 'turns',
    query: auditFileQuerySchema,
    reply: { content: ['application/x-ndjson', 'text/csv'] },
    errors: ['TOO_MANY_STREAMS'],
  }),
};

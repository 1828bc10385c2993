/** The console's broker for tests: it checks what is sent, as routes do for the console. */

import type { Actor } from '@/lib/broker/access/actor';
import { checkInput } from '@/lib/broker/application-broker';
import type { EntryFilter } from '@/lib/broker/audit';
import { openBroker } from '@/lib/broker/open-broker';
import type { MayChangeOperation } from '@/lib/broker/operations/change-operation';
import type { UndoScope } from '@/lib/broker/operations/undo-operation';
import type { BrokerOptions } from '@/lib/broker/redis/broker-context';
import type { AccessScope } from '@/lib/contract/access/grant-scopes';
import { type AuditFilter, type AuditQuery, auditQuerySchema } from '@/lib/contract/audit/audit-schemas';
import { type MarkRequest, markRequestSchema } from '@/lib/contract/history/history-schemas';
import type { StoredPreview } from '@/lib/contract/operations/operation-record';
import {
  boundPreviewRequestSchema,
  type OperationChange,
  type OperationJobsInput,
  type OperationRequest,
  operationChangeSchema,
  operationJobsQuerySchema,
  operationRequestSchema,
  type PreviewInput,
  type UndoRequest,
  undoRequestSchema,
} from '@/lib/contract/operations/operation-request';
import { parseOrThrow } from '@/lib/contract/parse-or-throw';
import {
  type GroupChange,
  groupChangeSchema,
  groupIdSchema,
  savedSearchInputSchema,
} from '@/lib/contract/search/search-schemas';

export function createBroker(options: BrokerOptions) {
  const broker = openBroker(options);
  const { operations, groups, searches, audit, marks } = broker;
  return {
    ...checkInput(broker),
    operations: {
      ...operations,
      preview: async (request: PreviewInput, by: Actor, mayTouch?: (queues: readonly string[]) => void) =>
        operations.preview(parseOrThrow(boundPreviewRequestSchema, request, 'preview'), by, mayTouch),
      start: async (request: OperationRequest, by: Actor, mayStart?: (preview: StoredPreview) => void) =>
        operations.start(parseOrThrow(operationRequestSchema, request, 'operation'), by, mayStart),
      change: async (id: string, change: OperationChange, by: Actor, may?: MayChangeOperation) =>
        operations.change(id, parseOrThrow(operationChangeSchema, change, 'change'), by, may),
      undo: async (id: string, request: UndoRequest, by: Actor, scope?: UndoScope) =>
        operations.undo(id, parseOrThrow(undoRequestSchema, request, 'undo'), by, scope),
      jobs: async (id: string, query: OperationJobsInput) =>
        operations.jobs(id, parseOrThrow(operationJobsQuerySchema, query, 'query')),
    },
    marks: {
      add: async (mark: MarkRequest, by: Actor, id?: string) =>
        marks.add(parseOrThrow(markRequestSchema, mark, 'mark'), by, id),
    },
    groups: {
      change: async (id: string, change: GroupChange, by: Actor, within?: AccessScope) =>
        groups.change(
          parseOrThrow(groupIdSchema, id, 'group'),
          parseOrThrow(groupChangeSchema, change, 'change'),
          by,
          within,
        ),
    },
    searches: {
      ...searches,
      save: async (input: unknown, owner: Parameters<typeof searches.save>[1], by?: Actor) =>
        searches.save(parseOrThrow(savedSearchInputSchema, input, 'search'), owner, by),
    },
    audit: {
      ...audit,
      list: async (query: Partial<AuditQuery>, maySee?: EntryFilter) =>
        audit.list(parseOrThrow(auditQuerySchema, query, 'query'), maySee),
      matching: (filter: AuditFilter, maySee?: EntryFilter) =>
        audit.matching(parseOrThrow(auditQuerySchema, filter, 'query'), maySee),
    },
  };
}
export type Broker = ReturnType<typeof createBroker>;

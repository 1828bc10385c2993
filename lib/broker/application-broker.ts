/**
 * `createBroker`: the door for applications, which checks their input. The console checks it at its routes and opens the broker itself.
 */
import type { AccessScope } from '@/lib/contract/access/grant-scopes';
import { type AuditFilter, type AuditQuery, auditQuerySchema } from '@/lib/contract/audit/audit-schemas';
import { type MarkRequest, markRequestSchema } from '@/lib/contract/history/history-schemas';
import { labSettingsSchema } from '@/lib/contract/lab/lab-schemas';
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
  type PauseInput,
  type PauseScope,
  pauseRequestSchema,
  pauseScopeSchema,
} from '@/lib/contract/queues/pause-schemas';
import {
  type ConfigPatch,
  configPatchSchema,
  type DrainInput,
  drainRequestSchema,
  type ShardingInput,
  shardingSchema,
} from '@/lib/contract/queues/queue-config';
import {
  type GroupChange,
  groupChangeSchema,
  groupIdSchema,
  savedSearchInputSchema,
} from '@/lib/contract/search/search-schemas';
import { type Actor, SYSTEM } from './access/actor';
import type { EntryFilter } from './audit';
import { openBroker } from './open-broker';
import type { MayChangeOperation } from './operations/change-operation';
import type { UndoScope } from './operations/undo-operation';
import type { MayChangeSettings } from './queues/settings/sharded-settings';
import type { BrokerOptions } from './redis/broker-context';

/**
 * Opens a broker on one Redis. Nothing is connected until the first call; every call checks once that the server may hold
 * jobs (`noeviction`, 6.2 or newer) and is refused with a sentence when it may not.
 *
 * @example const broker = createBroker({ url: 'redis://127.0.0.1:6379' });
 *          await broker.enqueue('email', { jobType: 'email.send', payload: '{"to":"a@example.com"}' });
 */
export function createBroker(options: BrokerOptions) {
  const broker = openBroker(options);
  const { config, sharding, operations, groups, searches, audit, lab, marks } = broker;
  return {
    ...broker,
    pause: async (queue: string, request: PauseInput, by: Actor) =>
      broker.pause(queue, parseOrThrow(pauseRequestSchema, request, 'pause'), by),
    resume: async (queue: string, scope: PauseScope = 'queue', by: Actor = SYSTEM) =>
      broker.resume(queue, parseOrThrow(pauseScopeSchema, scope, 'scope'), by),
    drain: async (queue: string, request: DrainInput, by: Actor) =>
      broker.drain(queue, parseOrThrow(drainRequestSchema, request, 'drain'), by),
    config: {
      ...config,
      change: async (queue: string, patch: ConfigPatch, by: Actor, may?: MayChangeSettings) =>
        config.change(queue, parseOrThrow(configPatchSchema, patch, 'config'), by, may),
    },
    sharding: {
      ...sharding,
      set: async (queue: string, input: ShardingInput, by: Actor) =>
        sharding.set(queue, parseOrThrow(shardingSchema, input, 'sharding'), by),
    },
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
    lab: {
      ...lab,
      save: async (settings: unknown, by?: Actor) =>
        lab.save(parseOrThrow(labSettingsSchema, settings, 'settings'), by),
    },
  };
}
export type Broker = ReturnType<typeof createBroker>;

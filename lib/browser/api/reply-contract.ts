/** The schemas of all replies, in one script of their own: see `reply-schemas.ts`. */
import { z } from 'zod';

export {
  endedSchema,
  meSchema,
  newTokenSchema,
  passwordChangedSchema,
  sessionsPageSchema,
  signedOutSchema,
  signInOptionsSchema,
  tableSettingsSchema,
  tokensPageSchema,
  usersPageSchema,
  userViewSchema,
} from '@/lib/contract/access/access-schemas';
export { consoleUserSchema } from '@/lib/contract/access/user-name';
export {
  alertsSchema,
  channelSchema,
  deliveriesSchema,
  deliverySchema,
  endedAlertsSchema,
} from '@/lib/contract/alerts/alert-schemas';
export { auditCheckSchema, auditPageSchema } from '@/lib/contract/audit/audit-schemas';
export { historySchema } from '@/lib/contract/history/history-schemas';
export { jobDetailSchema, jobPageSchema, unmaskedJobSchema } from '@/lib/contract/jobs/job-schemas';
export { labEventsSchema, labSamplesSchema, labStateSchema } from '@/lib/contract/lab/lab-schemas';
export { frameSchema } from '@/lib/contract/live/live-frame';
export {
  operationJobsSchema,
  operationSchema,
  operationsPageSchema,
} from '@/lib/contract/operations/operation';
export { previewSchema } from '@/lib/contract/operations/operation-preview';
export { problemSchema } from '@/lib/contract/parse-or-throw';
export { queueBreakdownSchema, queueMemorySchema } from '@/lib/contract/queues/breakdown-schemas';
export { configReplySchema, queueChangesSchema } from '@/lib/contract/queues/queue-config';
export { overviewSchema, queueMinutesSchema, queueNumbersSchema } from '@/lib/contract/queues/queue-schemas';
export { redisChecksSchema } from '@/lib/contract/redis/redis-check-schemas';
export {
  actionResultSchema,
  enqueueReplySchema,
  labBurstReplySchema,
  pausesSchema,
  reclaimedSchema,
  removedSchema,
} from '@/lib/contract/request-schemas';
export {
  scheduleDetailSchema,
  schedulePreviewSchema,
  scheduleRunSchema,
  scheduleSchema,
  schedulesPageSchema,
} from '@/lib/contract/schedules/schedule-schemas';
export { findEventSchema, findReplySchema } from '@/lib/contract/search/find-schemas';
export {
  facetsSchema,
  groupSchema,
  groupsPageSchema,
  savedSearchesSchema,
  savedSearchSchema,
  searchEventSchema,
  searchPageSchema,
  suggestionsSchema,
} from '@/lib/contract/search/search-schemas';
export { workerRequestReplySchema } from '@/lib/contract/workers/worker-requests';
export { workerJobsSchema, workersPageSchema } from '@/lib/contract/workers/worker-schemas';

/** For replies whose content is not used. */
export const ignoredSchema = z.unknown();

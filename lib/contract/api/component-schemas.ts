/** Replies that the OpenAPI description names. Others stand where they are used. */
import {
  endedSchema,
  meSchema,
  newTokenSchema,
  passwordChangedSchema,
  reauthenticatedSchema,
  sessionsPageSchema,
  signedInSchema,
  signedOutSchema,
  signInOptionsSchema,
  tableSettingsSchema,
  tokensPageSchema,
  tokenViewSchema,
  usersPageSchema,
  userViewSchema,
} from '../access/access-schemas';
import { grantSchema } from '../access/grant-schemas';
import {
  alertSchema,
  alertsSchema,
  channelSchema,
  deliveriesSchema,
  deliverySchema,
  endedAlertsSchema,
  silenceSchema,
} from '../alerts/alert-schemas';
import { webhookMessageSchema } from '../alerts/webhook-message';
import { auditCheckSchema, auditEventSchema, auditPageSchema } from '../audit/audit-schemas';
import { historySchema, markSchema } from '../history/history-schemas';
import { claimReplySchema } from '../jobs/claim-requests';
import { enqueueResultSchema, envelopeSchema } from '../jobs/envelope';
import { jobDetailSchema, jobPageSchema, jobSummarySchema, unmaskedJobSchema } from '../jobs/job-schemas';
import { labEventsSchema, labSamplesSchema, labSettingsSchema, labStateSchema } from '../lab/lab-schemas';
import { operationJobsSchema, operationSchema, operationsPageSchema } from '../operations/operation';
import { previewSchema } from '../operations/operation-preview';
import { jsonValueSchema } from '../operations/operation-request';
import { problemSchema } from '../parse-or-throw';
import { queueBreakdownSchema, queueMemorySchema } from '../queues/breakdown-schemas';
import { pauseSchema } from '../queues/pause-schemas';
import { configReplySchema, queueChangesSchema, queueConfigSchema } from '../queues/queue-config';
import {
  overviewSchema,
  queueMinutesSchema,
  queueNumbersSchema,
  queueRowSchema,
  queueSnapshotSchema,
  statsSchema,
} from '../queues/queue-schemas';
import { redisChecksSchema } from '../redis/redis-check-schemas';
import {
  actionResultSchema,
  enqueueReplySchema,
  labBurstReplySchema,
  pausesSchema,
  readinessSchema,
  reclaimedSchema,
  removedSchema,
} from '../request-schemas';
import {
  scheduleDetailSchema,
  schedulePreviewSchema,
  scheduleRunSchema,
  scheduleSchema,
  scheduleSummarySchema,
  schedulesPageSchema,
} from '../schedules/schedule-schemas';
import { findEventSchema, findReplySchema } from '../search/find-schemas';
import {
  facetsSchema,
  groupSchema,
  groupsPageSchema,
  savedSearchesSchema,
  savedSearchSchema,
  searchEventSchema,
  searchPageSchema,
  suggestionsSchema,
} from '../search/search-schemas';
import { workerRequestReplySchema } from '../workers/worker-requests';
import { workerJobsSchema, workerSchema, workersPageSchema } from '../workers/worker-schemas';

export const COMPONENT_SCHEMAS = {
  AlertWebhook: webhookMessageSchema,
  ActionResult: actionResultSchema,
  Alert: alertSchema,
  Alerts: alertsSchema,
  Channel: channelSchema,
  AuditCheck: auditCheckSchema,
  AuditEvent: auditEventSchema,
  AuditPage: auditPageSchema,
  ClaimReply: claimReplySchema,
  Deliveries: deliveriesSchema,
  Delivery: deliverySchema,
  Ended: endedSchema,
  EndedAlerts: endedAlertsSchema,
  EnqueueReply: enqueueReplySchema,
  EnqueueResult: enqueueResultSchema,
  Envelope: envelopeSchema,
  Facets: facetsSchema,
  FindEvent: findEventSchema,
  FindReply: findReplySchema,
  Grant: grantSchema,
  Group: groupSchema,
  GroupsPage: groupsPageSchema,
  History: historySchema,
  JobDetail: jobDetailSchema,
  JobPage: jobPageSchema,
  JobSummary: jobSummarySchema,
  JsonValue: jsonValueSchema,
  LabBurstReply: labBurstReplySchema,
  LabEvents: labEventsSchema,
  LabSamples: labSamplesSchema,
  RedisChecks: redisChecksSchema,
  LabSettings: labSettingsSchema,
  LabState: labStateSchema,
  Mark: markSchema,
  Me: meSchema,
  NewToken: newTokenSchema,
  Operation: operationSchema,
  OperationJobs: operationJobsSchema,
  OperationsPage: operationsPageSchema,
  PasswordChanged: passwordChangedSchema,
  Pause: pauseSchema,
  Pauses: pausesSchema,
  Preview: previewSchema,
  Problem: problemSchema,
  QueueBreakdown: queueBreakdownSchema,
  QueueChanges: queueChangesSchema,
  QueueConfig: queueConfigSchema,
  QueueMemory: queueMemorySchema,
  QueueMinutes: queueMinutesSchema,
  QueueNumbers: queueNumbersSchema,
  QueueRow: queueRowSchema,
  QueueSettings: configReplySchema,
  QueueSnapshot: queueSnapshotSchema,
  QueuesPage: overviewSchema,
  Readiness: readinessSchema,
  Reauthenticated: reauthenticatedSchema,
  Reclaimed: reclaimedSchema,
  Removed: removedSchema,
  SavedSearch: savedSearchSchema,
  SavedSearches: savedSearchesSchema,
  Schedule: scheduleSchema,
  ScheduleDetail: scheduleDetailSchema,
  SchedulePreview: schedulePreviewSchema,
  ScheduleRun: scheduleRunSchema,
  SchedulesPage: schedulesPageSchema,
  ScheduleSummary: scheduleSummarySchema,
  SearchEvent: searchEventSchema,
  SearchPage: searchPageSchema,
  SessionsPage: sessionsPageSchema,
  SignedIn: signedInSchema,
  SignedOut: signedOutSchema,
  SignInOptions: signInOptionsSchema,
  TableSettings: tableSettingsSchema,
  Silence: silenceSchema,
  Stats: statsSchema,
  Suggestions: suggestionsSchema,
  Token: tokenViewSchema,
  TokensPage: tokensPageSchema,
  UnmaskedJob: unmaskedJobSchema,
  User: userViewSchema,
  UsersPage: usersPageSchema,
  Worker: workerSchema,
  WorkerJobs: workerJobsSchema,
  WorkerRequestReply: workerRequestReplySchema,
  WorkersPage: workersPageSchema,
} as const;

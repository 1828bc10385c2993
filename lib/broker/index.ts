/** What other folders may use of the broker. */

export * from './application';
export {
  AUDIT_GROWS_TO,
  type AuditEvent,
  type EntryFilter,
  entryText,
  FoldBuffer,
  FoldTimes,
  verifyFile,
} from './audit';
export type { TypeRuns } from './history/type-runs';
export { type Broker, openBroker } from './open-broker';
export type { CheckAuthorization } from './operations/runner/run-slice';
export { BUCKETS_MS, joinSpans, percentileMs } from './queues/percentile';
export { type MinuteRunTimes, slidingCount, slidingPerSecond } from './queues/recent-activity';
export { redisAdvice } from './redis/checks/redis-advice';
export type { DatasetLoss } from './redis/dataset/dataset';
export {
  type AuditedCall,
  type AuditPurse,
  payForLater,
  withoutPurse,
  withPurse,
} from './redis/scripts/audit-purse';

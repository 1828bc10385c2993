/** The default settings of a queue. */
import { REDACTION_DEFAULT } from '../redaction/redaction-default';
import type { QueueConfig } from './queue-config';

export const QUEUE_CONFIG_DEFAULT: QueueConfig = {
  depthLimit: null,
  shedAtPercent: null,
  rate: null,
  concurrency: null,
  tenantLimit: null,
  tenantLimits: {},
  fair: 'none',
  objectiveAgeMs: 120_000,
  objectiveFailurePercent: 20,
  objectiveDepth: null,
  maxDeliveries: 5,
  retry: { policy: null, maxAttempts: null, classes: ['retryable', 'rate-limited', 'unsupported-version'] },
  retryByType: {},
  completedKeep: 1_000,
  completedKeepMs: null,
  completedKeepBytes: null,
  resendWindowMs: 600_000,
  deadKeepMs: null,
  trashGraceMs: 3_600_000,
  purgeNeedsApproval: false,
  redact: [...REDACTION_DEFAULT],
};

/**
 * Accepts ordinary jobs without the schema, whose seventeen fields cost a producer as much as the rest of an enqueue. Anything unknown
 * or wrong goes to the schema, which has the sentences. A property test holds the two together.
 */

import { type EnqueueInput, type EnqueueJob, enqueueSchema } from '@/lib/contract/jobs/envelope';
import {
  DEFAULT_MAX_ATTEMPTS,
  PRIORITY_MAX,
  PRIORITY_MIN,
  TRACE_PARENT_PATTERN,
} from '@/lib/contract/jobs/job-limits';
import { NAME_PATTERN } from '@/lib/contract/name-pattern';

const isName = (value: unknown): value is string => typeof value === 'string' && NAME_PATTERN.test(value);
const isWithin = (value: unknown, min: number, max: number): value is number =>
  Number.isInteger(value) && (value as number) >= min && (value as number) <= max;

const isTraceParent = (value: unknown): value is string =>
  typeof value === 'string' && TRACE_PARENT_PATTERN.test(value);
/** These may be there without a value. */
const FIELDS: ReadonlySet<string> = new Set(Object.keys(enqueueSchema.shape));

/** The job as the schema would give it back, or null: ask the schema. */
export function fastValidateJob(input: EnqueueInput): EnqueueJob | null {
  if (typeof input !== 'object' || input === null) return null;
  let jobId: string | undefined;
  let payload: string | undefined;
  let traceParent: string | undefined;
  let [jobVersion, tenantId, priority, maxAttempts] = [1, 'default', 0, DEFAULT_MAX_ATTEMPTS];
  for (const field in input) {
    const value: unknown = input[field as keyof EnqueueInput];
    if (value === undefined && FIELDS.has(field)) continue;
    switch (field) {
      case 'jobType':
        if (!isName(value)) return null;
        break;
      case 'jobVersion':
        if (!isWithin(value, 1, 9_999)) return null;
        jobVersion = value;
        break;
      case 'traceParent':
        if (!isTraceParent(value)) return null;
        traceParent = value;
        break;
      case 'jobId':
        if (!isName(value)) return null;
        jobId = value;
        break;
      case 'tenantId':
        if (!isName(value)) return null;
        tenantId = value;
        break;
      case 'payload':
        if (typeof value !== 'string' || !value.isWellFormed()) return null;
        payload = value;
        break;
      case 'priority':
        if (!isWithin(value, PRIORITY_MIN, PRIORITY_MAX)) return null;
        priority = value;
        break;
      case 'maxAttempts':
        if (!isWithin(value, 1, 100)) return null;
        maxAttempts = value;
        break;
      default:
        return null;
    }
  }
  const { jobType } = input;
  if (jobType === undefined || !Object.hasOwn(input, 'jobType')) return null;
  return {
    jobId,
    jobType,
    jobVersion,
    tenantId,
    maxAttempts,
    priority,
    critical: true,
    timeoutMs: 0,
    payload,
    traceParent,
  };
}

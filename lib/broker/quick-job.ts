/**
 * The way of the ordinary job past the schema. Checking seventeen fields costs a producer as much as everything else it does
 * for a job, and most jobs have five, all in order. This says yes to those alone: whatever it does not know, or does not like,
 * goes to the schema, which has the last word and the sentences. A property test holds the two together.
 */
import {
  DEFAULT_MAX_ATTEMPTS,
  type EnqueueInput,
  type EnqueueJob,
  PRIORITY_MAX,
  PRIORITY_MIN,
} from '@/lib/contract/envelope';
import { NAME_PATTERN } from '@/lib/contract/names';

const isName = (value: unknown): value is string => typeof value === 'string' && NAME_PATTERN.test(value);
const isWithin = (value: unknown, min: number, max: number): value is number =>
  Number.isInteger(value) && (value as number) >= min && (value as number) <= max;

/** The job as the schema would give it back, or null: ask the schema. */
export function quickJob(input: EnqueueInput): EnqueueJob | null {
  if (typeof input !== 'object' || input === null) return null;
  let jobId: string | undefined;
  let payload: string | undefined;
  let [tenantId, priority, maxAttempts] = ['default', 0, DEFAULT_MAX_ATTEMPTS];
  for (const field in input) {
    const value: unknown = input[field as keyof EnqueueInput];
    switch (field) {
      case 'jobType':
        if (!isName(value)) return null;
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
        if (typeof value !== 'string') return null;
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
    jobVersion: 1,
    tenantId,
    maxAttempts,
    priority,
    critical: true,
    timeoutMs: 0,
    payload,
  };
}

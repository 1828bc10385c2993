/** A change of a schedule as the audit log has it. */
import { cutPart } from '../audit/change-text';

/** Bytes of JSON that one part of a change may take in the queue's list of changes. */
const PART_MAX_BYTES = 400;
/** The job last: it alone may be long. */
const PARTS = ['queue', 'timing', 'missed', 'overlap', 'startAt', 'endAt', 'paused', 'deleted', 'job'];

/** A change as the queue's list of changes and the audit log have it: short, and never the payload. */
export function scheduleChangeText(schedule: string, parts: object): string {
  const given = new Map<string, unknown>(Object.entries(parts));
  const named = PARTS.filter((name) => given.has(name));
  const texts = named.map((name) => [name, cutPart(withoutPayload(given.get(name)), PART_MAX_BYTES)]);
  return JSON.stringify({ schedule, ...Object.fromEntries(texts) });
}

function withoutPayload(part: unknown): unknown {
  if (typeof part !== 'object' || part === null || !('payload' in part)) return part;
  const { payload, ...rest } = part;
  return { ...rest, payload: typeof payload === 'string' ? `${Buffer.byteLength(payload)} bytes` : payload };
}

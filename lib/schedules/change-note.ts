/** What a change was, for the queue's record of changes: short, and never the payload. */
import { cutPart } from '@/lib/broker';

const PART_MAX_BYTES = 400;
/** The job last: it alone may be long, and nothing may be cut off by it. */
const PARTS = ['queue', 'timing', 'missed', 'overlap', 'startAt', 'endAt', 'paused', 'deleted', 'job'];

export function changeNote(schedule: string, parts: object): string {
  const given = new Map<string, unknown>(Object.entries(parts));
  const named = PARTS.filter((name) => given.has(name));
  const said = named.map((name) => [name, cutPart(withoutPayload(given.get(name)), PART_MAX_BYTES)]);
  return JSON.stringify({ schedule, ...Object.fromEntries(said) });
}

function withoutPayload(part: unknown): unknown {
  if (typeof part !== 'object' || part === null || !('payload' in part)) return part;
  const { payload, ...rest } = part;
  return { ...rest, payload: typeof payload === 'string' ? `${Buffer.byteLength(payload)} bytes` : payload };
}

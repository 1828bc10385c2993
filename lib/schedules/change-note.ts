/** What a change was, for the queue's record of changes: short, and never the payload. */
const NOTE_MAX_CHARS = 500;
const PARTS = ['queue', 'timing', 'job', 'missed', 'overlap', 'startAt', 'endAt', 'paused', 'deleted'];

export function changeNote(schedule: string, parts: object): string {
  const named = Object.entries(parts).filter(([key]) => PARTS.includes(key));
  const note = JSON.stringify({ schedule, ...Object.fromEntries(named) }, (key, value: unknown) =>
    key === 'payload' && typeof value === 'string' ? `${Buffer.byteLength(value)} bytes` : value,
  );
  return note.length <= NOTE_MAX_CHARS
    ? note
    : JSON.stringify({ schedule, changed: named.map(([key]) => key) });
}

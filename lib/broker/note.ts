/** The small JSON note that goes into a job's history: what was said about an event, and by whom. */
import type { WayIn } from '@/lib/contract/access';
import type { Holder } from '@/lib/contract/ceilings';
import { ERROR_MESSAGE_MAX_CHARS, ERROR_STACK_MAX_CHARS } from '@/lib/contract/failures';

/** Who makes a change, and why. */
export interface Actor {
  /** A name to show. */
  actor: string;
  /** Stable id of the person or token, and how they came in: only of those who came in over HTTP. */
  actorId?: string;
  /** Of a token: whose it is. */
  ownerId?: string;
  way?: WayIn;
  /** The session or token, as lists name it: it opens nothing. */
  via?: string;
  /** Where the request came from. */
  address?: string;
  reason?: string;
  /** Ties the change to a request, operation or audit entry. */
  requestId?: string;
  /** Whose share of a ceiling it takes; left out: the library's. */
  holder?: Holder;
}

export const SYSTEM: Actor = { actor: 'system' };

export const actorNote = (by: Actor): string =>
  JSON.stringify({
    actor: by.actor.slice(0, 100),
    reason: by.reason?.slice(0, 300),
    requestId: by.requestId?.slice(0, 100),
    actorId: by.actorId?.slice(0, 200),
    ownerId: by.ownerId?.slice(0, 200),
    way: by.way,
    via: by.via?.slice(0, 100),
    address: by.address?.slice(0, 60),
  });

/** Letters that JSON must escape take up to six bytes each; two notes of this size fit into one history. */
const NOTE_MAX_BYTES = 8_000;

/**
 * Cut to size here, so that no error text can bloat Redis. Its print, if it has one, comes first, where scripts find it: no text
 * of an error can stand there.
 */
export function errorNote(message: string, stack: string | undefined, print?: string): string {
  let [messageChars, stackChars] = [ERROR_MESSAGE_MAX_CHARS, ERROR_STACK_MAX_CHARS];
  for (;;) {
    const note = JSON.stringify({
      print,
      message: message.slice(0, messageChars),
      stack: stack?.slice(0, stackChars),
    });
    if (Buffer.byteLength(note) <= NOTE_MAX_BYTES) return note;
    messageChars = Math.floor(messageChars * 0.75);
    stackChars = Math.floor(stackChars * 0.75);
  }
}

const NOTE_FIELDS = [
  'actor',
  'reason',
  'requestId',
  'actorId',
  'ownerId',
  'way',
  'via',
  'address',
  'message',
  'stack',
] as const;
export type Note = Partial<Record<(typeof NOTE_FIELDS)[number], string>>;

/** Notes are written by us, but a reader never trusts what it reads: what is no text is left out. */
export function readNote(json: string): Note {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value !== 'object' || value === null) return {};
    const fields = new Map<string, unknown>(Object.entries(value));
    const note: Note = {};
    for (const field of NOTE_FIELDS) {
      const found = fields.get(field);
      if (typeof found === 'string') note[field] = found;
    }
    return note;
  } catch {
    // Shown without its words rather than not at all.
    return {};
  }
}

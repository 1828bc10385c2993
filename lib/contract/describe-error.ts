/**
 * What a thrown value says, whatever it is: an error of this or another realm or copy of a package, an object, a text, nothing. The one
 * place that reads errors for records, logs, groups and people. It never throws.
 */
import { withoutEscapeCodes } from '../format/escape-codes';
import { ERROR_MESSAGE_MAX_CHARS, ERROR_STACK_MAX_CHARS } from './jobs/error-classes';
import { RedriveError } from './redrive-error';

export interface ErrorDescription {
  /** False: something else was thrown. */
  readonly isError: boolean;
  /** Of the error itself; empty where it has none. */
  readonly name: string;
  /** What names the fault: its code, its HTTP status (`HTTP_503`), its name, or the code of what caused it. Empty: nothing does. */
  readonly code: string;
  /** In words, with the reasons of its causes. Never empty, at most 1,000 characters. */
  readonly message: string;
  /** Its frames, then each cause with its own, at most 3,000 characters where there are causes. Undefined: it has none. */
  readonly stack: string | undefined;
}

/** Causes and parts that are read, of all levels together. */
const LEVELS_MAX = 10;
const REASON_MAX_CHARS = 300;
const REASONS_MAX_CHARS = 500;
/** Of the first line of a level in a stack, so that room for frames is left. */
const HEAD_MAX_CHARS = 200;
/** Names of the language and the platform say nothing about what failed. */
const PLAIN_NAMES = new Set(['', 'Error', 'Object']);
const VAGUE_NAMES = new Set([...PLAIN_NAMES, 'TypeError', 'AggregateError']);

interface Level {
  readonly isError: boolean;
  readonly name: string;
  readonly code: string;
  readonly message: string;
  readonly stack: string | undefined;
  /** How it stands in the stack: `Caused by`, `Reason 1 of 2`; empty: what was thrown. */
  readonly label: string;
}

export function describeError(thrown: unknown): ErrorDescription {
  const [own, ...reasons] = levelsOf(thrown);
  if (!own?.isError)
    return {
      isError: false,
      name: '',
      code: '',
      message: cut(`Not an error was thrown: ${own?.message}`, ERROR_MESSAGE_MAX_CHARS),
      stack: undefined,
    };
  const caused = VAGUE_NAMES.has(own.name) ? (reasons.find(({ code }) => code !== '')?.code ?? '') : '';
  return {
    isError: true,
    name: own.name,
    code: own.code || caused || (PLAIN_NAMES.has(own.name) ? '' : own.name),
    // Our own sentences are complete.
    message: messageOf(own, thrown instanceof RedriveError ? [] : reasons),
    stack: stackOf(own, reasons),
  };
}

/** In one sentence for a person: the message, the reasons of its causes, and the code where neither names it. */
export function errorText(thrown: unknown): string {
  if (thrown instanceof RedriveError) return thrown.message;
  const [own] = levelsOf(thrown);
  if (own && !own.isError) return cut(own.message, ERROR_MESSAGE_MAX_CHARS);
  const { message, code, name } = describeError(thrown);
  return code === '' || code === name || message.includes(code) ? message : `${message} (${code})`;
}

/** The frames of its stack without a word of its message, which may quote secrets; undefined where the two cannot be told apart. */
export function errorFrames(thrown: unknown): string | undefined {
  const [own] = levelsOf(thrown);
  if (own?.stack === undefined) return undefined;
  const [, frames] = own.message === '' ? ['', own.stack] : own.stack.split(own.message);
  return frames?.trim();
}

/** What was thrown, then its causes and parts, outermost first. */
function levelsOf(thrown: unknown): Level[] {
  const levels: Level[] = [];
  const seen = new Set<unknown>();
  const visit = (value: unknown, label: string): void => {
    if (levels.length >= LEVELS_MAX || (typeof value === 'object' && seen.has(value))) return;
    seen.add(value);
    levels.push(levelOf(value, label));
    const parts = read(value, 'errors');
    if (Array.isArray(parts) && looksLikeError(value))
      parts.forEach((part: unknown, i) => {
        if (i < LEVELS_MAX) visit(part, `Reason ${i + 1} of ${parts.length}`);
      });
    const cause = read(value, 'cause');
    if (cause !== undefined && cause !== null) visit(cause, 'Caused by');
  };
  visit(thrown, '');
  return levels;
}

function levelOf(value: unknown, label: string): Level {
  if (!looksLikeError(value)) {
    // Of an object behind an error only its code is told: it may be a whole request, with its secrets.
    const message = label !== '' && typeof value === 'object' ? '' : textOf(value);
    return { isError: false, name: '', code: codeOf(value), message, stack: undefined, label };
  }
  const message = textOf(read(value, 'message') ?? '');
  const stack = read(value, 'stack');
  const name = read(value, 'name');
  return {
    isError: true,
    name: typeof name === 'string' ? name : '',
    code: codeOf(value),
    message,
    stack: typeof stack === 'string' && stack !== '' ? withoutEscapeCodes(stack) : undefined,
    label,
  };
}

/** Errors of other realms are no instances of ours, and some libraries throw objects that only look like one. */
function looksLikeError(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return (
    value instanceof Error || tagOf(value) === '[object Error]' || typeof read(value, 'message') === 'string'
  );
}

function codeOf(error: unknown): string {
  const code = read(error, 'code');
  if (typeof code === 'string' && code !== '') return cut(code, 100);
  for (const status of [
    read(error, 'status'),
    read(error, 'statusCode'),
    read(read(error, 'response'), 'status'),
    code,
  ])
    if (typeof status === 'number' && status >= 400 && status < 600) return `HTTP_${status}`;
  return '';
}

function messageOf(own: Level, reasons: readonly Level[]): string {
  let said = own.message;
  let told = '';
  for (const reason of reasons) {
    const text = reasonText(reason);
    if (text === '' || said.includes(text) || told.includes(text)) continue;
    const separator = told === '' ? '' : reason.label.startsWith('Reason') ? '; ' : ': ';
    if (told.length + separator.length + text.length > REASONS_MAX_CHARS) break;
    told += separator + text;
  }
  if (told === '') return cut(said || own.name || 'an error without a message', ERROR_MESSAGE_MAX_CHARS);
  said = cut(said, ERROR_MESSAGE_MAX_CHARS - REASONS_MAX_CHARS - 2).trimEnd();
  return said === '' ? told : `${said.replace(/[:.]$/, '')}: ${told}`;
}

function reasonText({ message, code, name }: Level): string {
  const text = cut(message || (PLAIN_NAMES.has(name) ? '' : name), REASON_MAX_CHARS);
  if (code === '' || text.includes(code)) return text;
  return text === '' ? code : `${text} (${code})`;
}

function stackOf(own: Level, reasons: readonly Level[]): string | undefined {
  if (own.stack === undefined && reasons.length === 0) return undefined;
  if (reasons.length === 0) return own.stack;
  const levels = [own, ...reasons].map((level) => {
    const [first, frames] = splitStack(level);
    const head =
      level.label === '' ? cut(first, HEAD_MAX_CHARS) : `${level.label}: ${cut(first, HEAD_MAX_CHARS)}`;
    return { head, frames };
  });
  const heads = levels.reduce((chars, { head }) => chars + head.length + 1, 0);
  const room = Math.max(0, Math.floor((ERROR_STACK_MAX_CHARS - heads) / levels.length));
  return levels.flatMap(({ head, frames }) => [head, ...wholeLines(frames, room)]).join('\n');
}

/** The line that says what happened, and the frames. */
function splitStack({ stack = '', name, message, code }: Level): [string, string] {
  const at = stack.search(/^\s*at /m);
  const text = message.replace(/\s+/g, ' ').trim();
  const said = [name, text].filter((part) => part !== '').join(': ') || 'an error without a message';
  const head = code === '' || said.includes(code) ? said : `${said} (${code})`;
  return [head, at < 0 ? '' : stack.slice(at)];
}

function wholeLines(frames: string, maxChars: number): string[] {
  if (frames === '') return [];
  if (frames.length <= maxChars) return [frames];
  const end = frames.lastIndexOf('\n', maxChars);
  return end <= 0 ? [] : [frames.slice(0, end)];
}

/** Getters and proxies may throw. */
function read(value: unknown, field: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  try {
    return Reflect.get(value, field);
  } catch {
    return undefined;
  }
}

function tagOf(value: object): string {
  try {
    return Object.prototype.toString.call(value);
  } catch {
    return '';
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return withoutEscapeCodes(value);
  try {
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    return typeof text === 'string' ? withoutEscapeCodes(text) : typeof value;
  } catch {
    return typeof value;
  }
}

/** No character is split in two. */
function cut(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return `${text.slice(0, maxChars - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

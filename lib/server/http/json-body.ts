/** Reads a JSON body within limits: of size while it arrives, of depth before it is parsed. Refuses names that stand twice. */
import { BODY_MAX_BYTES, BODY_TOO_LARGE } from '@/lib/contract/body-limit';
import { keepExactNumbers } from '@/lib/contract/exact-json';
import { jsonFault } from '@/lib/contract/json-fault';
import { RedriveError } from '@/lib/contract/redrive-error';
import { JsonScanner } from '@/lib/format/json-scanner';
import { countMembers, repeatedName } from './repeated-names';

/** Recursive code must not meet deeper nesting. */
const JSON_MAX_DEPTH = 64;

/**
 * @param exact members of the body and of each of its `jobs` that become an ExactJson, so that numbers keep all digits
 * @throws RedriveError WRONG_MEDIA_TYPE | BODY_TOO_LARGE | BAD_JSON | VALIDATION (too deep, or a name that stands twice)
 */
export async function readJson(request: Request, exact: readonly string[] = []): Promise<unknown> {
  const text = await readText(request);
  if (text === '') return {};
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json')
    throw new RedriveError(
      'WRONG_MEDIA_TYPE',
      `The body must be sent as application/json, not ${type ? `as ${type.slice(0, 60)}` : 'without a content type'}.`,
      { fields: [{ field: 'Content-Type', message: 'must be application/json' }] },
    );
  const { depth, members } = shapeOf(text);
  if (depth > JSON_MAX_DEPTH)
    throw new RedriveError('VALIDATION', `The body is nested deeper than ${JSON_MAX_DEPTH} levels.`, {
      fields: [{ field: 'body', message: `at most ${JSON_MAX_DEPTH} levels of nesting` }],
    });
  const body = parse(text);
  // The parser keeps the last of two members with one name, in silence.
  if (countMembers(body) !== members) refuseRepeated(text);
  if (exact.length > 0) keepExactNumbers(text, body, exact);
  return body;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not the parser's message, which quotes the body into the log.
    const detail = `The body is not JSON: ${jsonFault(text)}.`;
    throw new RedriveError('BAD_JSON', detail, { fields: [{ field: 'body', message: 'is not JSON' }] });
  }
}

function refuseRepeated(text: string): never {
  const field = repeatedName(text).slice(0, 200);
  const message = 'stands twice: one of the two would be lost. Send it once';
  throw new RedriveError('VALIDATION', `body is not valid: ${field} ${message}.`, {
    fields: [{ field, message }],
  });
}

async function readText(request: Request): Promise<string> {
  if (!request.body) return '';
  const reader = request.body.getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > BODY_MAX_BYTES) {
      await reader.cancel().catch(() => undefined);
      throw new RedriveError('BODY_TOO_LARGE', BODY_TOO_LARGE, {
        fields: [{ field: 'body', message: `at most ${BODY_MAX_BYTES} bytes` }],
      });
    }
    parts.push(value);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
  } catch (cause) {
    throw new RedriveError('BAD_JSON', 'The body is not UTF-8 text.', {
      cause,
      fields: [{ field: 'body', message: 'is not UTF-8' }],
    });
  }
}

/** The deepest nesting of brackets outside strings, and how many members objects have, in one pass without recursion. */
export function shapeOf(text: string): { depth: number; members: number } {
  let [open, depth, members] = [0, 0, 0];
  const scan = new JsonScanner(text);
  while (scan.next())
    if (scan.kind === '{' || scan.kind === '[') depth = Math.max(depth, ++open);
    else if (scan.kind === '}' || scan.kind === ']') open--;
    else if (scan.kind === ':') members++;
  return { depth, members };
}

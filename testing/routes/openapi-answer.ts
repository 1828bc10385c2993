/** Holds an exchange against the OpenAPI document as the generator of a stranger reads it: as JSON Schema, without our own schemas. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { openApiDocument } from '@/lib/contract/api/openapi-document';

interface Operation {
  readonly requestBody?: unknown;
  readonly responses: Readonly<Record<string, { content: Readonly<Record<string, unknown>> }>>;
}

const DOCUMENT = 'openapi.json';
const document = openApiDocument() as { paths: Record<string, Record<string, Operation>> };
// Strict: a keyword or a format that JSON Schema does not know is a defect of the document.
const ajv = new Ajv2020({
  strict: true,
  strictTypes: false,
  strictRequired: false,
  allErrors: true,
  formats: { uri: (text: string) => URL.canParse(text) },
});
// Its own members are no keywords of JSON Schema.
ajv.addVocabulary(Object.keys(document));
ajv.addSchema({ ...document, $id: DOCUMENT }, DOCUMENT);
const validators = new Map<string, ValidateFunction>();

/** What is wrong with a reply by the document; null: nothing. `value`: its JSON; undefined: it has none. */
export function answerFault(
  { method, path }: { method: string; path: string },
  { status, type, value }: { status: number; type: string; value: unknown },
): string | null {
  const name = method.toLowerCase();
  const response = document.paths[path]?.[name]?.responses[status];
  if (response === undefined) return `status ${status}`;
  if (!Object.hasOwn(response.content, type)) return `content type ${type}`;
  if (value === undefined) return null;
  return schemaFault(['paths', path, name, 'responses', String(status), 'content', type, 'schema'], value);
}

/** The lines of a whole stream, as the document describes them. */
export function readDescribedLines(route: { method: string; path: string }, text: string): unknown[] {
  const value = text
    .split('\n')
    .filter(Boolean)
    .map((line): unknown => JSON.parse(line));
  const fault = answerFault(route, { status: 200, type: 'application/x-ndjson', value });
  if (fault !== null) throw new Error(`${route.method} ${route.path}: ${fault}`);
  return value;
}

/** What is wrong with the body of a request that was accepted; null: nothing. */
export function bodyFault({ method, path }: { method: string; path: string }, value: unknown): string | null {
  const name = method.toLowerCase();
  // Routes without a body ignore it.
  if (document.paths[path]?.[name]?.requestBody === undefined) return null;
  const place = ['paths', path, name, 'requestBody', 'content', 'application/json', 'schema'];
  const fault = schemaFault(place, value);
  // Names and queries are described as they are kept: without the white space around them, which a request may have.
  return fault === null || schemaFault(place, trimmed(value)) === null ? null : fault;
}

/** The same JSON, its texts without white space around them. */
const trimmed = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, part) => (typeof part === 'string' ? part.trim() : part));

function schemaFault(place: readonly string[], value: unknown): string | null {
  const pointer = place.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')));
  const $ref = `${DOCUMENT}#/${pointer.join('/')}`;
  const validate = validators.get($ref) ?? ajv.compile({ $ref });
  validators.set($ref, validate);
  return validate(value) ? null : ajv.errorsText(validate.errors, { dataVar: 'body' });
}

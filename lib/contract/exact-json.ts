/** JSON values that keep the digits they were sent with: a number of JavaScript would turn 9007199254740993 into its neighbour. */
import { parseTaggedJson, type TaggedJson } from './search/query/payload-values';

/** A JSON value as text, without spaces. */
export class ExactJson {
  constructor(readonly text: string) {}
}

/** As text; an ExactJson with its exact digits. */
export const jsonText = (value: unknown): string | undefined =>
  value instanceof ExactJson ? value.text : JSON.stringify(value);

/**
 * Replaces parsed values by exact ones, for members of the body and of each entry of its `jobs`.
 * @param text the body, which is JSON
 * @param body the same, parsed
 */
export function keepExactNumbers(text: string, body: unknown, names: readonly string[]): void {
  const tagged = parseTaggedJson(text);
  keepMembers(body, tagged, names);
  const jobs = isObject(body) ? body.jobs : undefined;
  const exactJobs = memberOf(tagged, 'jobs');
  if (Array.isArray(jobs) && Array.isArray(exactJobs))
    for (const [i, job] of jobs.entries()) keepMembers(job, exactJobs[i], names);
}

function keepMembers(value: unknown, tagged: TaggedJson | undefined, names: readonly string[]): void {
  if (!isObject(value)) return;
  for (const name of names) {
    const exact = memberOf(tagged, name);
    if (exact !== undefined && Object.hasOwn(value, name)) value[name] = new ExactJson(printed(exact));
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function memberOf(tagged: TaggedJson | undefined, name: string): TaggedJson | undefined {
  if (typeof tagged !== 'object' || tagged === null || Array.isArray(tagged)) return undefined;
  const members = tagged as { readonly [key: string]: TaggedJson };
  return Object.hasOwn(members, `s${name}`) ? members[`s${name}`] : undefined;
}

/** A body is nested 64 levels deep at most. */
function printed(value: TaggedJson): string {
  if (typeof value === 'string')
    return value.startsWith('n') ? value.slice(1) : JSON.stringify(value.slice(1));
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(printed).join(',')}]`;
  return `{${Object.entries(value)
    .map(([key, one]) => `${JSON.stringify(key.slice(1))}:${printed(one)}`)
    .join(',')}}`;
}

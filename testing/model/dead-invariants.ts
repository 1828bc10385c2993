/** What must hold of the dead letters' indexes and counts, and of what became of jobs that operations put back. */
import { type RawQueue, same } from './compare-ids';

export const GROUPS_MAX = 2_000;
export const OUTCOMES_MAX = 10_000;

/** What a row of `deaths` says, in its order. */
export const DEATH_FIELDS = [
  'diedAt',
  'class',
  'code',
  'group',
  'type',
  'version',
  'tenant',
  'priority',
  'attempt',
  'operation',
] as const;
export type Death = Record<(typeof DEATH_FIELDS)[number], string>;
export function deathOf(row: string): Death | null {
  const words = row.split(' ');
  if (words.length !== DEATH_FIELDS.length) return null;
  return Object.fromEntries(DEATH_FIELDS.map((field, i) => [field, words[i] ?? ''])) as Death;
}
/** The field of `deadCounts` a dead job counts in. */
export const alike = (death: Death): string =>
  (['group', 'type', 'version', 'tenant', 'class', 'code', 'attempt'] as const)
    .map((field) => death[field])
    .join(' ');

/** 1 and 3: what is known of each death agrees with its job; five facet entries each and no others; and they are counted right. */
export function deadIndex(raw: RawQueue): string[] {
  const found: string[] = [];
  const members = new Set<string>();
  const counts = new Map<string, number>();
  for (const [id, row] of raw.hash('deaths')) {
    const death = deathOf(row);
    const head = (raw.hash('jobs').get(id) ?? '').split('\n', 1)[0]?.split(' ') ?? [];
    const readable = head[0] === '1' && head.length >= 8;
    const [type, version, tenant, priority] = readable
      ? [head[5], head[6], head[7], head[1]]
      : ['unknown', '0', 'unknown', '0'];
    if (!death) found.push(`1: the death of ${id} is ${row}`);
    else if (
      death.type !== type ||
      death.version !== version ||
      death.tenant !== tenant ||
      death.priority !== priority
    )
      found.push(`1: ${id} is ${head.join(' ')} and died as ${row}`);
  }
  for (const [id, score] of raw.zset('dead')) {
    const death = deathOf(raw.hash('deaths').get(id) ?? '');
    if (!death) continue;
    if (death.diedAt !== score) found.push(`1: ${id} died at ${death.diedAt} and stands at ${score}`);
    for (const facet of ['type', 'tenant', 'class', 'code', 'group'] as const)
      members.add(`${facet}=${death[facet]}|${score.padStart(13, '0')}|${id}`);
    counts.set(alike(death), (counts.get(alike(death)) ?? 0) + 1);
    if (!/^[0-9a-f]{12}$/.test(death.group)) found.push(`1: ${id} is in the group ${death.group}`);
  }
  found.push(...same('1: deadBy', raw.zset('deadBy'), 'what dead calls for', members));
  const cube = new Map(raw.hash('deadCounts'));
  // While it is made anew it is not said to be right, nor read.
  if (cube.has('~')) return found;
  const total = cube.get('#') ?? '0';
  cube.delete('#');
  if (Number(total) !== raw.zset('dead').size)
    found.push(`3: ${total} dead are counted, ${raw.zset('dead').size} are there`);
  for (const field of new Set([...cube.keys(), ...counts.keys()]))
    if (cube.get(field) !== String(counts.get(field)))
      found.push(`3: ${cube.get(field) ?? 0} dead are counted as ${field}, ${counts.get(field) ?? 0} are`);
  return found;
}

/** 15: whom an operation put back waits or runs; and what is kept of failure groups and outcomes is bounded and readable. */
export function driven(raw: RawQueue): string[] {
  const found: string[] = [];
  const going = ['ready', 'in-flight', 'scheduled', 'retry', 'held'].map((state) => raw.states.get(state));
  for (const [id, row] of raw.hash('redriven')) {
    const [operation = ''] = row.split(' ', 1);
    if (!going.some((index) => index?.has(id)))
      found.push(`15: ${id} was put back by ${operation} and neither waits nor runs`);
    if (row !== operation && !deathOf(row.slice(operation.length + 1)))
      found.push(`15: ${id} was put back from ${row}`);
  }
  if (raw.zset('outcomes').size > OUTCOMES_MAX)
    found.push(`26: ${raw.zset('outcomes').size} outcomes are remembered`);
  if (raw.hash('groups').size > GROUPS_MAX)
    found.push(`26: ${raw.hash('groups').size} groups are remembered`);
  for (const [group, row] of raw.hash('groups')) {
    const [, first, last, total, counts] = row.match(/^(\d+) (\d+) (\d+) \d+:(\d+(?:,\d+){23})$/) ?? [];
    const inTrend = (counts ?? '').split(',').reduce((sum, count) => sum + Number(count), 0);
    if (counts === undefined || Number(first) > Number(last) || inTrend > Number(total))
      found.push(`3: the group ${group} is ${row}`);
  }
  for (const [field, row] of raw.hash('operations')) {
    if (!field.endsWith(' outcome')) continue;
    const [, diedAgain, groups] = row.match(/^\d+ (\d+) \d+ \d+((?: \S+=\d+)*)$/) ?? [];
    const named = [...(groups ?? '').matchAll(/=(\d+)/g)].map(([, n]) => Number(n));
    const sum = named.reduce((total, n) => total + n, 0);
    if (groups === undefined || sum !== Number(diedAgain) || named.length > 21)
      found.push(`15: the outcome of ${field} is ${row}`);
  }
  return found;
}

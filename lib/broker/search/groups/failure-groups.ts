/** Failure groups: what fails, how often, since when, and for which tenants. */

import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import { parseJsonRow } from '@/lib/broker/redis/parse-json';
import { forEachLimited } from '@/lib/broker/shards/fan-out';
import type { ShardRef } from '@/lib/broker/shards/shard-ref';
import type { ShardedContext } from '@/lib/broker/shards/sharded-context';
import { shardsWithColumn } from '@/lib/broker/shards/shards-with-jobs';
import type { AccessScope } from '@/lib/contract/access/grant-scopes';
import { errorClassSchema } from '@/lib/contract/jobs/job-state-schemas';
import { parseOrThrow } from '@/lib/contract/parse-or-throw';
import { RedriveError } from '@/lib/contract/redrive-error';
import { GROUP_TREND_HOURS } from '@/lib/contract/search/search-limits';
import {
  type Group,
  type GroupNote,
  type GroupsPage,
  groupIdSchema,
  groupNoteSchema,
} from '@/lib/contract/search/search-schemas';
import { readDeadAggregate } from '../aggregate/dead-aggregate';
import { aggregateMatches, type MatchAggregate } from '../facets/aggregate-matches';
import { facetsOf } from '../facets/count-facets';
import { ValueCounts } from '../facets/value-counts';
import { openSearch, type SearchScope } from '../open-search';
import { type GroupDetails, readGroupDetails } from './group-details';

const GROUPS_MAX = 100;
const TENANTS_MAX = 20;
const VALUES_MAX = 20;
const SHARDS_AT_ONCE = 8;

interface Member {
  readonly id: string;
  readonly type: string;
  readonly class: string;
  readonly code: string;
  count: number;
  readonly queues: ValueCounts;
  readonly tenants: ValueCounts;
  readonly versions: ValueCounts;
}

/** @param facets also count the facets, from the same reading of the matches @throws RedriveError BAD_QUERY */
export async function listGroups(
  ctx: ShardedContext,
  { q, within, facets = false }: Pick<SearchScope, 'q' | 'within'> & { readonly facets?: boolean },
): Promise<GroupsPage> {
  const search = await openSearch(ctx, { state: 'dead', q, within });
  const aggregate = await aggregateMatches(ctx, search);
  const members = [...membersOf(aggregate).values()].sort(
    (a, b) => b.count - a.count || (a.id < b.id ? -1 : 1),
  );
  const listed = members.slice(0, GROUPS_MAX);
  const [details, notes, counted] = await Promise.all([
    placesOfGroups(
      ctx,
      await shardsWithColumn(ctx, search.shardsInScope, 'groups'),
      aggregate.readings,
      listed.map(({ id }) => id),
    ).then((wanted) => readGroupDetails(ctx, wanted, search.now, search.within)),
    readGroupNotes(
      ctx,
      listed.map(({ id }) => id),
    ),
    facets ? facetsOf(ctx, search, aggregate) : null,
  ]);
  const missing = [
    ...new Map([...aggregate.missing, ...details.missing].map((shard) => [shard.name, shard])).values(),
  ];
  return {
    at: aggregate.at,
    groups: listed
      .map((member) => groupOf(member, details.byGroup.get(member.id), notes.get(member.id), aggregate.at))
      .sort((a, b) => b.count - a.count || b.lastSeen - a.lastSeen),
    total: members.length,
    matching: aggregate.matching,
    sampled: aggregate.sampled,
    ...(counted ? { facets: counted } : {}),
    ...(missing.length > 0 ? { unavailable: missing.map(({ queue, shard }) => ({ queue, shard })) } : {}),
  };
}

/** One group over all queues in scope. @throws RedriveError GROUP_NOT_FOUND when none of it is in scope */
export async function readGroup(ctx: ShardedContext, id: string, within?: AccessScope): Promise<Group> {
  const group = parseOrThrow(groupIdSchema, id, 'group');
  const search = await openSearch(ctx, { state: 'dead', q: `group:${group}`, within });
  const [aggregate, notes] = await Promise.all([aggregateMatches(ctx, search), readGroupNotes(ctx, [group])]);
  const note = notes.get(group);
  const member =
    membersOf(aggregate).get(group) ?? (note && !search.within ? emptyMember(group, note) : null);
  if (!member)
    throw new RedriveError(
      'GROUP_NOT_FOUND',
      `The failure group ${group} has no dead letters, no name and no note.`,
      { fields: [{ field: 'group', message: 'names no failure group' }] },
    );
  const known = await shardsWithColumn(ctx, search.shardsInScope, 'groups');
  const everywhere = new Map(known.map((shard) => [shard, [group]]));
  const details = await readGroupDetails(ctx, everywhere, search.now, search.within);
  return groupOf(member, details.byGroup.get(group), note, note?.changedAt ?? aggregate.at);
}

const emptyMember = (
  id: string,
  { type, class: errorClass, code }: Pick<Member, 'type' | 'class' | 'code'>,
): Member => ({
  id,
  type,
  class: errorClass,
  code,
  count: 0,
  queues: new ValueCounts(),
  tenants: new ValueCounts(),
  versions: new ValueCounts(),
});

function membersOf({ parts }: MatchAggregate): Map<string, Member> {
  const members = new Map<string, Member>();
  for (const { shard, cells } of parts)
    for (const { key, count } of cells) {
      if (key.group === null || key.class === null || key.code === null) continue;
      const member =
        members.get(key.group) ??
        emptyMember(key.group, { type: key.type, class: key.class, code: key.code });
      members.set(key.group, member);
      member.count += count;
      member.queues.add(shard.queue, count);
      member.tenants.add(key.tenant, count);
      member.versions.add(String(key.version), count);
    }
  return members;
}

/** Which groups each shard has dead letters of, whatever else the query asks for. */
async function placesOfGroups(
  ctx: ShardedContext,
  shards: readonly ShardRef[],
  readings: MatchAggregate['readings'],
  ids: readonly string[],
): Promise<Map<ShardRef, string[]>> {
  const wanted = new Map<ShardRef, string[]>();
  await forEachLimited(shards, SHARDS_AT_ONCE, async (shard) => {
    // Without an aggregate all are asked for.
    const aggregate =
      readings.get(shard.name) ?? (await readDeadAggregate(ctx, shard.name).catch(() => null));
    const present = aggregate && new Set(aggregate.cells.map((cell) => cell.key.group));
    const groups = ids.filter((id) => present === null || present.has(id));
    if (groups.length > 0) wanted.set(shard, groups);
  });
  return wanted;
}

/** @param at shown for times that are not known: the group's row was lost, and its jobs too */
function groupOf(
  member: Member,
  details: GroupDetails | undefined,
  note: GroupNote | undefined,
  at: number,
): Group {
  const parsed = errorClassSchema.safeParse(member.class);
  const lastSeen = details?.lastSeen ?? at;
  return {
    group: member.id,
    name: note?.name ?? null,
    note: note?.note ?? null,
    status: groupStatusOf(note, details ? lastSeen : Number.NEGATIVE_INFINITY),
    changedBy: note?.changedBy ?? null,
    changedAt: note?.changedAt ?? null,
    type: member.type,
    class: parsed.success ? parsed.data : 'permanent',
    code: member.code,
    message: details?.message ?? null,
    count: member.count,
    firstSeen: details?.firstSeen ?? at,
    lastSeen,
    trend: details?.trend ?? Array.from({ length: GROUP_TREND_HOURS }, () => 0),
    lastHour: details?.lastHour ?? null,
    queues: member.queues.mostFirst(VALUES_MAX),
    tenants: member.tenants.mostFirst(TENANTS_MAX),
    tenantCount: member.tenants.size,
    versions: member.versions.mostFirst(VALUES_MAX),
    sample: details?.sample ? { queue: details.sample.shard.queue, jobId: details.sample.jobId } : null,
  };
}

/** What users set on failure groups: one record a group, for all queues. */
async function readGroupNotes(
  ctx: BrokerContext,
  groups: readonly string[],
): Promise<Map<string, GroupNote>> {
  if (groups.length === 0) return new Map();
  const rows = await ctx.plain((redis) => redis.hmget(ctx.keys.global('groupsNotes'), ...groups));
  return new Map(
    groups.flatMap((group, i) => {
      const note = parseGroupNote(rows[i] ?? null);
      return note ? [[group, note] as const] : [];
    }),
  );
}

/** Resolved until a job dies in it again; muted until a user changes it. */
export function groupStatusOf(note: GroupNote | undefined, lastSeen: number): Group['status'] {
  if (note?.status === 'resolved' && lastSeen > note.statusAt) return 'reopened';
  return note?.status ?? 'open';
}

/** Null also for an unreadable record. */
export const parseGroupNote = (row: string | null): GroupNote | null => parseJsonRow(groupNoteSchema, row);

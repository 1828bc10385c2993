/** Failure groups: what is failing, how much, since when, and whom it hits. */
import { type Group, type GroupNote, type GroupsPage, groupIdSchema } from '@/lib/contract/dead';
import { parseOrThrow, RedriveError } from '@/lib/contract/errors';
import { errorClassSchema } from '@/lib/contract/failures';
import type { Within } from '@/lib/contract/permissions';
import { inLanes } from '../sharded/fan-out';
import type { Place } from '../sharded/places';
import type { ShardedContext } from '../shards';
import { type Census, census } from './census';
import { cubeOf } from './cube';
import { type GroupDetails, groupDetails } from './group-details';
import { notesOf, statusOf } from './group-notes';
import { placesWith } from './holding';
import { openSearch } from './request';
import { Tally } from './tally';

const GROUPS_MAX = 100;
const TENANTS_MAX = 20;
const VALUES_MAX = 20;
const PLACES_AT_ONCE = 8;

interface Member {
  readonly id: string;
  readonly type: string;
  readonly class: string;
  readonly code: string;
  count: number;
  readonly queues: Tally;
  readonly tenants: Tally;
  readonly versions: Tally;
}

export interface GroupsScope {
  q: string;
  /** Only what lies within; left out: everything. */
  within?: Within | undefined;
}

/** @throws RedriveError BAD_QUERY */
export async function groups(ctx: ShardedContext, { q, within }: GroupsScope): Promise<GroupsPage> {
  const search = await openSearch(ctx, { state: 'dead', q, within });
  const told = await census(ctx, search);
  const all = [...membersOf(told).values()].sort((a, b) => b.count - a.count || (a.id < b.id ? -1 : 1));
  const shown = all.slice(0, GROUPS_MAX);
  const [details, notes] = await Promise.all([
    placesOfGroups(
      ctx,
      await placesWith(ctx, search.inReach, 'groups'),
      shown.map(({ id }) => id),
    ).then((wanted) => groupDetails(ctx, wanted, search.now, search.within)),
    notesOf(
      ctx,
      shown.map(({ id }) => id),
    ),
  ]);
  const missing = [
    ...new Map([...told.missing, ...details.missing].map((place) => [place.name, place])).values(),
  ];
  return {
    at: told.at,
    groups: shown
      .map((member) => groupOf(member, details.of.get(member.id), notes.get(member.id), told.at))
      .sort((a, b) => b.count - a.count || b.lastSeen - a.lastSeen),
    total: all.length,
    matching: told.matching,
    sampled: told.sampled,
    ...(missing.length > 0 ? { unavailable: missing.map(({ queue, shard }) => ({ queue, shard })) } : {}),
  };
}

/** One group over all queues, or what of it lies within: nothing of it within is no such group. @throws RedriveError GROUP_NOT_FOUND */
export async function groupById(ctx: ShardedContext, id: string, within?: Within): Promise<Group> {
  const group = parseOrThrow(groupIdSchema, id, 'group');
  const search = await openSearch(ctx, { state: 'dead', q: `group:${group}`, within });
  const [told, notes] = await Promise.all([census(ctx, search), notesOf(ctx, [group])]);
  const note = notes.get(group);
  const member = membersOf(told).get(group) ?? (note && !search.within ? emptyMember(group, note) : null);
  if (!member)
    throw new RedriveError(
      'GROUP_NOT_FOUND',
      `There is no dead letter in the failure group ${group}, and nobody has named or noted it.`,
      { fields: [{ field: 'group', message: 'names no failure group' }] },
    );
  const known = await placesWith(ctx, search.inReach, 'groups');
  const everywhere = new Map(known.map((place) => [place, [group]]));
  const details = await groupDetails(ctx, everywhere, search.now, search.within);
  return groupOf(member, details.of.get(group), note, note?.changedAt ?? told.at);
}

const emptyMember = (id: string, of: Pick<Member, 'type' | 'class' | 'code'>): Member => ({
  id,
  type: of.type,
  class: of.class,
  code: of.code,
  count: 0,
  queues: new Tally(),
  tenants: new Tally(),
  versions: new Tally(),
});

function membersOf({ parts }: Census): Map<string, Member> {
  const members = new Map<string, Member>();
  for (const { place, cells } of parts)
    for (const { of, count } of cells) {
      if (of.group === null || of.class === null || of.code === null) continue;
      const member =
        members.get(of.group) ?? emptyMember(of.group, { type: of.type, class: of.class, code: of.code });
      members.set(of.group, member);
      member.count += count;
      member.queues.add(place.queue, count);
      member.tenants.add(of.tenant, count);
      member.versions.add(String(of.version), count);
    }
  return members;
}

/** Which places to ask for which groups: where they are dead, whatever else the query says. */
async function placesOfGroups(
  ctx: ShardedContext,
  places: readonly Place[],
  ids: readonly string[],
): Promise<Map<Place, string[]>> {
  const wanted = new Map<Place, string[]>();
  await inLanes(places, PLACES_AT_ONCE, async (place) => {
    // Where it cannot be known beforehand, all are asked for.
    const cube = await cubeOf(ctx, place.name).catch(() => null);
    const here = cube && new Set(cube.cells.map((cell) => cell.of.group));
    const some = ids.filter((id) => here === null || here.has(id));
    if (some.length > 0) wanted.set(place, some);
  });
  return wanted;
}

/** @param at stands in for times nobody knows: the group's row was lost, and its jobs with it */
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
    status: statusOf(note, details ? lastSeen : Number.NEGATIVE_INFINITY),
    changedBy: note?.changedBy ?? null,
    changedAt: note?.changedAt ?? null,
    type: member.type,
    class: parsed.success ? parsed.data : 'permanent',
    code: member.code,
    message: details?.message ?? null,
    count: member.count,
    firstSeen: details?.firstSeen ?? at,
    lastSeen,
    trend: details?.trend ?? Array.from({ length: 24 }, () => 0),
    queues: member.queues.mostFirst(VALUES_MAX),
    tenants: member.tenants.mostFirst(TENANTS_MAX),
    tenantCount: member.tenants.size,
    versions: member.versions.mostFirst(VALUES_MAX),
    sample: details?.sample ? { queue: details.sample.queue, jobId: details.sample.jobId } : null,
  };
}

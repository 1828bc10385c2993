/** A new operation, as it is entered: what every way to start one has in common. */
import { type Operation, RERUNS, type Scope } from '@/lib/contract/operations';
import type { JobState } from '@/lib/contract/states';
import type { OperationRecord } from '@/lib/contract/verbs';
import type { Actor } from '../note';
import type { Place } from '../sharded/places';
import { freshControl } from './decide';

export interface Plan {
  readonly id: string;
  readonly now: number;
  readonly by: Actor & { reason: string };
  readonly kind: Operation['kind'];
  readonly scope: Scope;
  readonly places: readonly Place[];
  readonly states: readonly JobState[];
  readonly cutoff: number;
  readonly expected: number;
  readonly estimated: boolean;
  readonly listed?: boolean;
  readonly waitsForApproval?: boolean;
  readonly undoes?: string;
  readonly preview?: string;
  /** What some kinds need besides. */
  readonly parts?: Partial<
    Pick<
      OperationRecord,
      'target' | 'patch' | 'shownPatch' | 'dueAt' | 'format' | 'maxRows' | 'includeUnsafe'
    >
  >;
  readonly control?: Pick<Operation, 'pace' | 'canary' | 'stop'>;
}

export const UNHURRIED: Operation['pace'] = { ratePerSecond: null, keepReadyBelow: null };

export function newRecord(plan: Plan): OperationRecord {
  const { id, now, by, kind, control } = plan;
  return {
    id,
    kind,
    status: plan.waitsForApproval ? 'awaiting-approval' : 'running',
    scope: plan.scope,
    target: null,
    patch: null,
    shownPatch: null,
    dueAt: null,
    format: null,
    maxRows: null,
    includeUnsafe: false,
    ...plan.parts,
    cutoff: plan.cutoff,
    actor: by.actor,
    reason: by.reason,
    createdAt: now,
    startedAt: null,
    endedAt: null,
    expected: plan.expected,
    estimated: plan.estimated,
    scanned: 0,
    moved: 0,
    skipped: 0,
    skips: {},
    pace: control?.pace ?? UNHURRIED,
    canary: control?.canary ?? null,
    stop: control?.stop ?? null,
    phase: control?.canary ? 'canary' : null,
    paused: null,
    outcome: RERUNS.has(kind)
      ? { completed: 0, running: 0, waiting: 0, diedAgain: 0, recalled: 0, deleted: 0, groups: [] }
      : null,
    trouble: null,
    error: null,
    undoes: plan.undoes ?? null,
    undo: null,
    decidedBy: null,
    events: [{ at: now, what: 'created', by: by.actor, sentence: by.reason }],
    places: plan.places.map(({ queue, shard, name }) => ({ queue, shard, name })),
    states: [...plan.states],
    listed: plan.listed ?? false,
    preview: plan.preview ?? null,
    requestId: by.requestId ?? null,
    rights: rightsOf(by),
    runner: null,
    control: freshControl(now),
    epoch: 0,
    stopping: null,
  };
}

/** Who answers for it from now on; null: a library call, which nobody is asked about. */
export const rightsOf = ({ actor, actorId, ownerId, way, via, address }: Actor): OperationRecord['rights'] =>
  actorId === undefined || way === undefined ? null : { actor, actorId, ownerId, way, via, address };

/** What two sendings of one request have in common. */
export const sameIntent = (a: OperationRecord, b: OperationRecord): boolean =>
  a.preview === b.preview && a.undoes === b.undoes && a.kind === b.kind && a.reason === b.reason;

'use client';
import { Button } from '@/components/ui/controls/button';
import {
  ArrowRightLeft,
  BadgeX,
  Ban,
  CalendarClock,
  ChevronDown,
  Download,
  Eye,
  EyeOff,
  type Icon,
  PencilLine,
  RotateCcw,
  Trash2,
  Undo2,
  Zap,
} from '@/components/ui/icons';
import { Menu, MenuContent, MenuItem, MenuNote, MenuTrigger } from '@/components/ui/overlays/dropdown-menu';
import { usePageActions } from '@/components/ui/use-page-actions';
import { missingPermissionMessage, useMayForSome, usePermits } from '@/lib/browser/access/use-permissions';
import { operationPermission } from '@/lib/contract/access/action-permissions';
import type { JobState } from '@/lib/contract/jobs/job-states';
import { DESTRUCTIVE, KIND_STATES, type OperationKind } from '@/lib/contract/operations/operation-kinds';
import { KIND_LABELS } from '@/lib/contract/operations/operation-text';

/** A recall only undoes a re-drive, and a queue is deleted on its own page: no list offers them. */
type ListedKind = Exclude<OperationKind, 'recall' | 'delete-queue'>;
/** The kinds that a list offers, the most common first. */
export const KIND_ICONS: Readonly<Record<ListedKind, Icon>> = {
  redrive: RotateCcw,
  restore: Undo2,
  promote: Zap,
  reschedule: CalendarClock,
  move: ArrowRightLeft,
  edit: PencilLine,
  suppress: EyeOff,
  unsuppress: Eye,
  export: Download,
  cancel: Ban,
  purge: Trash2,
  delete: BadgeX,
};

/** How the kinds differ that take jobs away: beside their names in a menu. */
export const KIND_NOTES: Readonly<Partial<Record<OperationKind, string>>> = {
  suppress: 'set aside, can be undone',
  purge: 'to the trash, for a while',
  delete: 'cannot be undone',
};

/** The kind that a state's list offers as a button. */
const PRIMARY: ReadonlySet<OperationKind> = new Set(['redrive', 'restore', 'promote']);

/** Kinds of operations on jobs of one state, the most common first. */
export const kindsForState = (state: JobState): readonly ListedKind[] =>
  (Object.keys(KIND_ICONS) as ListedKind[]).filter((kind) =>
    (KIND_STATES[kind] as readonly JobState[]).includes(state),
  );

/** The kinds that the user may start, with what is missing in this queue; `queue` null: in any. */
function useKinds(state: JobState, queue: string | null) {
  const may = usePermits();
  const some = useMayForSome(queue ?? '');
  return kindsForState(state)
    .filter((kind) => may(operationPermission(kind)))
    .map((kind) => {
      const needs = operationPermission(kind);
      return { kind, missing: queue === null || some(needs) ? null : missingPermissionMessage(needs, queue) };
    });
}

interface OperationItems {
  state: JobState;
  /** Null: the jobs of several queues. */
  queue: string | null;
  onAct: (kind: OperationKind) => void;
}

/** Every operation on jobs of the state, as items of a menu. `more`: without the one that has a button. */
export function OperationMenuItems({ state, queue, onAct, more }: OperationItems & { more?: boolean }) {
  return useKinds(state, queue)
    .filter(({ kind }) => !more || !PRIMARY.has(kind))
    .map(({ kind, missing }) => {
      const Icon = KIND_ICONS[kind];
      return (
        <MenuItem
          key={kind}
          destructive={DESTRUCTIVE.has(kind)}
          blocked={missing}
          onSelect={() => onAct(kind)}
        >
          <Icon aria-hidden />
          {KIND_LABELS[kind].verb}…<MenuNote>{KIND_NOTES[kind]}</MenuNote>
        </MenuItem>
      );
    });
}

/** The items of such a menu, for the finder. `of`: what they are done to, since no button beside them says it. */
export function OperationPageActions({
  state,
  queue,
  onAct,
  more,
  of,
}: OperationItems & { more?: boolean; of: string }) {
  usePageActions(
    useKinds(state, queue)
      .filter(({ kind, missing }) => missing === null && (!more || !PRIMARY.has(kind)))
      .map(({ kind }) => ({ label: `${KIND_LABELS[kind].verb}: ${of}…`, run: () => onAct(kind) })),
  );
  return null;
}

/** The most common operation as a button, the others in a menu. */
export function OperationButtons(items: OperationItems) {
  const kinds = useKinds(items.state, items.queue);
  const primary = kinds.find(({ kind }) => PRIMARY.has(kind));
  const Icon = primary && KIND_ICONS[primary.kind];
  if (kinds.length === 0) return null;
  return (
    <>
      {primary && Icon && (
        <Button
          size="sm"
          variant="primary"
          blocked={primary.missing}
          onClick={() => items.onAct(primary.kind)}
        >
          <Icon aria-hidden />
          {KIND_LABELS[primary.kind].verb}…
        </Button>
      )}
      <OperationPageActions {...items} more of="the selection" />
      <Menu>
        <MenuTrigger asChild>
          <Button size="sm">
            {primary ? 'More' : 'Actions'}
            <ChevronDown aria-hidden />
          </Button>
        </MenuTrigger>
        <MenuContent align="start">
          <OperationMenuItems {...items} more />
        </MenuContent>
      </Menu>
    </>
  );
}

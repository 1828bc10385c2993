'use client';
import {
  ArrowRightLeft,
  ChevronDown,
  Download,
  EyeOff,
  type LucideIcon,
  PencilLine,
  RotateCcw,
  Trash2,
} from 'lucide-react';
import { Button } from '@/components/ui/controls/button';
import { Menu, MenuContent, MenuItem, MenuTrigger } from '@/components/ui/overlays/dropdown-menu';
import { usePermits } from '@/lib/browser/access/use-permissions';
import { operationPermission } from '@/lib/contract/access/action-permissions';
import { DESTRUCTIVE, type OperationKind } from '@/lib/contract/operations/operation-kinds';
import { KIND_LABELS } from '@/lib/contract/operations/operation-text';

const MORE: readonly (readonly [OperationKind, LucideIcon])[] = [
  ['move', ArrowRightLeft],
  ['edit', PencilLine],
  ['suppress', EyeOff],
  ['export', Download],
  ['purge', Trash2],
  ['delete', Trash2],
];

/** Operations on dead letters other than a re-drive. */
export function MoreOperationItems({ onAct }: { onAct: (kind: OperationKind) => void }) {
  const may = usePermits();
  return MORE.filter(([kind]) => may(operationPermission(kind))).map(([kind, Icon]) => (
    <MenuItem key={kind} destructive={DESTRUCTIVE.has(kind)} onSelect={() => onAct(kind)}>
      <Icon aria-hidden />
      {KIND_LABELS[kind].verb}…
    </MenuItem>
  ));
}

/** Re-drive as a button, the other operations in a menu. */
export function OperationButtons({ onAct }: { onAct: (kind: OperationKind) => void }) {
  const may = usePermits();
  return (
    <>
      {may(operationPermission('redrive')) && (
        <Button size="sm" variant="primary" onClick={() => onAct('redrive')}>
          <RotateCcw aria-hidden />
          Re-drive…
        </Button>
      )}
      <Menu>
        <MenuTrigger asChild>
          <Button size="sm">
            More
            <ChevronDown aria-hidden />
          </Button>
        </MenuTrigger>
        <MenuContent align="start">
          <MoreOperationItems onAct={onAct} />
        </MenuContent>
      </Menu>
    </>
  );
}

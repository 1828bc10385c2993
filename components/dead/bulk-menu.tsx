'use client';
import { ArrowRightLeft, ChevronDown, Download, EyeOff, PencilLine, RotateCcw, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import { Menu, MenuContent, MenuItem, MenuTrigger } from '@/components/ui/dropdown-menu';
import { usePermits } from '@/lib/client/permissions';
import { kindPermission } from '@/lib/contract/action-permissions';
import { KIND_WORDS } from '@/lib/contract/operation-words';
import { DESTRUCTIVE, type OperationKind } from '@/lib/contract/operations';

const MORE = [
  'move',
  'edit',
  'suppress',
  'export',
  'purge',
  'delete',
] as const satisfies readonly OperationKind[];

const ICONS: Readonly<Record<(typeof MORE)[number], ReactNode>> = {
  move: <ArrowRightLeft aria-hidden />,
  edit: <PencilLine aria-hidden />,
  suppress: <EyeOff aria-hidden />,
  export: <Download aria-hidden />,
  purge: <Trash2 aria-hidden />,
  delete: <Trash2 aria-hidden />,
};

/** What the wizard can do with dead letters besides putting them back. */
export function MoreItems({ onAct }: { onAct: (kind: OperationKind) => void }) {
  const may = usePermits();
  return MORE.filter((kind) => may(kindPermission(kind))).map((kind) => (
    <MenuItem key={kind} destructive={DESTRUCTIVE.has(kind)} onSelect={() => onAct(kind)}>
      {ICONS[kind]}
      {KIND_WORDS[kind].verb}…
    </MenuItem>
  ));
}

/** The bulk bar's buttons: re-drive at hand, the rest in a menu. */
export function BulkButtons({ onAct }: { onAct: (kind: OperationKind) => void }) {
  const may = usePermits();
  return (
    <>
      {may(kindPermission('redrive')) && (
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
          <MoreItems onAct={onAct} />
        </MenuContent>
      </Menu>
    </>
  );
}

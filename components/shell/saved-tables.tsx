'use client';
import { type ReactNode, useEffect, useRef } from 'react';
import {
  adoptTables,
  RenderedTables,
  tablesSaved,
  useStoredTables,
} from '@/components/ui/tables/table-settings';
import { useMe, useSaveTables } from '@/lib/browser/access/use-me';
import { usePrefetched } from '@/lib/browser/api/hydration';
import { keys } from '@/lib/browser/api/query-keys';
import type { Me } from '@/lib/contract/access/access-schemas';
import { tablesOwner } from '@/lib/contract/access/tables-owner';

/** A column is dragged, tried and dragged again. */
const SAVE_AFTER_MS = 1_000;

/**
 * Columns, widths and density follow a person into every browser: what their account has is shown from the first HTML on, and what they
 * choose is sent there. While that fails, this browser keeps the choice, and sends it with the next one or the next page.
 */
export function SavedTables({ children }: { children: ReactNode }) {
  const rendered = usePrefetched<Me>(keys.me())?.tables ?? null;
  useAccountTables();
  return <RenderedTables value={rendered}>{children}</RenderedTables>;
}

function useAccountTables(): void {
  const { data: me, dataUpdatedAt } = useMe();
  const stored = useStoredTables();
  const { mutate } = useSaveTables();
  const save = useRef(mutate);
  save.current = mutate;
  const owner = me ? tablesOwner(me) : null;
  const saved = me?.tables ?? null;
  // Read late, they are not known yet: the page asks again at once.
  const known = dataUpdatedAt > 0;
  useEffect(() => {
    if (owner !== null && known) adoptTables(owner, saved);
  }, [owner, known, saved]);
  useEffect(() => {
    if (!stored.unsaved || owner === null || owner !== stored.owner) return;
    const { density, tables } = stored;
    const timer = setTimeout(
      () => save.current({ density, tables }, { onSuccess: () => tablesSaved(stored) }),
      SAVE_AFTER_MS,
    );
    return () => clearTimeout(timer);
  }, [stored, owner]);
}

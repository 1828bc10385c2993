'use client';
import { useState } from 'react';
import type { Group } from '@/lib/contract/dead';

/** A query may name so many groups and still have room for other conditions. */
export const GROUPS_MAX = 40;

export interface GroupSelection {
  ids: ReadonlySet<string>;
  /** A range is of what is `listed`, from the group ticked last. */
  toggle: (group: Group, select: boolean, range: boolean, listed: readonly Group[]) => void;
  all: (groups: readonly Group[], select: boolean) => void;
  clear: () => void;
}

const NOTHING = { ids: new Set<string>() as ReadonlySet<string>, anchor: null as string | null };

/** Which groups are chosen. Another query is another list, so nothing of it is chosen yet. */
export function useGroupSelection(q: string): GroupSelection {
  const [state, setState] = useState({ of: q, ...NOTHING });
  if (state.of !== q) setState({ of: q, ...NOTHING });
  const change = (groups: readonly Group[], select: boolean, anchor: string | null) =>
    setState((now) => {
      const ids = new Set(now.ids);
      for (const { group } of groups) {
        if (!select) ids.delete(group);
        else if (ids.size < GROUPS_MAX) ids.add(group);
      }
      return { ...now, ids, anchor: anchor ?? now.anchor };
    });
  return {
    ids: state.ids,
    toggle: (group, select, range, listed) => {
      const from = range ? listed.findIndex((one) => one.group === state.anchor) : -1;
      const to = listed.findIndex((one) => one.group === group.group);
      const chosen = from < 0 || to < 0 ? [group] : listed.slice(Math.min(from, to), Math.max(from, to) + 1);
      change(chosen, select, group.group);
    },
    all: (groups, select) => change(groups, select, null),
    clear: () => setState((now) => ({ ...now, ...NOTHING })),
  };
}

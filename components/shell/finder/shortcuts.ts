/** Every keyboard shortcut of the console: what the keys do and what the help shows come from here. */
import type { Permission } from '@/lib/contract/access/grant-scopes';
import { isOpenTo, NAV } from '../nav-items';

export interface Shortcut {
  /** Pressed together or one after the other, as the help shows them. */
  readonly keys: readonly string[];
  readonly what: string;
}
export interface ShortcutGroup {
  readonly title: string;
  readonly shortcuts: readonly Shortcut[];
}

/** @param may hides pages that the user cannot open */
export const shortcutGroups = (
  may: (permission: Permission, queue?: string) => boolean,
): readonly ShortcutGroup[] => [
  {
    title: 'Everywhere',
    shortcuts: [
      { keys: ['Ctrl', 'K'], what: 'find anything, do anything' },
      { keys: ['?'], what: 'show these shortcuts' },
      ...NAV.filter((item) => isOpenTo(item, may)).map(({ shortcut, label }) => ({
        keys: ['g', shortcut],
        what: label,
      })),
    ],
  },
  {
    title: 'Lists',
    shortcuts: [
      { keys: ['j', 'k'], what: 'next, previous' },
      { keys: ['Enter'], what: 'open the row' },
      { keys: ['Esc'], what: 'close the menu, then the job beside the list' },
    ],
  },
  {
    title: 'Dead letters',
    shortcuts: [
      { keys: ['/'], what: 'edit the query' },
      { keys: ['v'], what: 'switch between groups and rows' },
      { keys: ['x'], what: 'select' },
      { keys: ['Shift', 'x'], what: 'select a range' },
      { keys: ['r'], what: 're-drive the selection, or this row' },
      { keys: ['Esc'], what: 'clear the selection; leave the query' },
    ],
  },
  {
    title: 'Operation wizard',
    shortcuts: [
      { keys: ['Enter'], what: 'continue; on the last step, start' },
      { keys: ['Ctrl', 'Enter'], what: 'the same from any field or button' },
      { keys: ['Esc'], what: 'close' },
    ],
  },
];

'use client';
import { useTheme } from 'next-themes';
import { useEffect, useMemo } from 'react';
import { toast } from '@/components/ui/overlays/toast';
import { useTableSettings } from '@/components/ui/tables/table-settings';
import {
  browserTimeZone,
  setTimeZone,
  type TimeZoneChoice,
  timeZoneNames,
  useTimeZoneChoice,
} from '@/components/ui/text/time-zone-choice';
import { useMe } from '@/lib/browser/access/use-me';
import { useSignOut } from '@/lib/browser/access/use-sign-out';
import type { Density } from '@/lib/format/column-settings';
import { type FinderCommand, settingCommands, zoneCommands } from './setting-commands';

function setZone(zone: TimeZoneChoice): void {
  setTimeZone(zone);
  toast.success(`Times are shown in ${zone === 'local' ? browserTimeZone() : zone}`);
}

/** What the header's menus set, and signing out. `zones`: those that the typed text names. */
export function useSettingCommands(typed: string): { settings: FinderCommand[]; zones: FinderCommand[] } {
  const { theme, setTheme } = useTheme();
  const { density, setDensity } = useTableSettings(undefined);
  const zone = useTimeZoneChoice();
  const names = useMemo(timeZoneNames, []);
  const signOut = useSignOutCommand();
  const actions = {
    setTheme,
    setZone,
    setDensity: (next: Density) => {
      setDensity(next);
      // There may be no table on the page to show it.
      toast.success(`Tables are ${next}`);
    },
  };
  return {
    settings: [...settingCommands({ theme, density, zone }, actions), ...signOut],
    zones: zoneCommands(typed, names, zone, setZone),
  };
}

/** None where the console has no sign-in. */
function useSignOutCommand(): FinderCommand[] {
  const me = useMe().data;
  const { leave, pending, problem } = useSignOut();
  useEffect(() => {
    if (problem) toast.error('Not signed out', { description: problem });
  }, [problem]);
  if (me === undefined || me.method === 'none') return [];
  return [
    {
      key: 'sign out',
      label: pending ? 'Signing out…' : 'Sign out',
      kind: 'Account',
      keywords: 'log out logout sign off',
      // The finder stays open until the next page loads.
      stays: true,
      choose: () => {
        if (!pending) leave();
      },
    },
  ];
}

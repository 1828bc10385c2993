/** Settings of this browser as commands of the finder; pure. */
import type { CommandItem } from '@/components/ui/overlays/command-option';
import type { TimeZoneChoice } from '@/components/ui/text/time-zone-choice';
import { DENSITIES, type Density } from '@/lib/format/column-settings';
import type { Rankable } from './rank-items';

export type FinderCommand = CommandItem & Rankable;

export interface BrowserSettings {
  readonly theme: string | undefined;
  readonly density: Density;
  readonly zone: TimeZoneChoice;
}
export interface SettingActions {
  readonly setTheme: (theme: string) => void;
  readonly setDensity: (density: Density) => void;
  readonly setZone: (zone: TimeZoneChoice) => void;
}

const THEMES = ['light', 'dark', 'system'] as const;

const command = (label: string, isCurrent: boolean, keywords: string, choose: () => void): FinderCommand => ({
  key: `setting ${label}`,
  label,
  kind: 'Setting',
  ...(isCurrent ? { detail: 'current' } : {}),
  keywords,
  choose,
});

/** Theme, density and the usual time zones. The other zones are `zoneCommands`. */
export function settingCommands(
  { theme, density, zone }: BrowserSettings,
  { setTheme, setDensity, setZone }: SettingActions,
): FinderCommand[] {
  return [
    ...THEMES.map((value) =>
      command(`Theme: ${value}`, value === theme, 'mode appearance color', () => setTheme(value)),
    ),
    ...DENSITIES.map((value) =>
      command(`Density: ${value}`, value === density, 'table rows', () => setDensity(value)),
    ),
    command('Time zone: this device', zone === 'local', 'timezone local', () => setZone('local')),
    command('Time zone: UTC', zone === 'UTC', 'timezone', () => setZone('UTC')),
  ];
}

/** Shorter words are in the names of most zones. */
const WORD_MIN_CHARS = 3;

/** The zones with a typed word in their names: several hundred zones would push aside all else that "time" finds. */
export function zoneCommands(
  typed: string,
  names: readonly string[],
  zone: TimeZoneChoice,
  setZone: SettingActions['setZone'],
): FinderCommand[] {
  const words = typed
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word.length >= WORD_MIN_CHARS);
  return names
    .filter((name) => name !== 'UTC' && words.some((word) => name.toLowerCase().includes(word)))
    .map((name) => command(`Time zone: ${name}`, name === zone, 'timezone', () => setZone(name)));
}

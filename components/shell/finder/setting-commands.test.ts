import { expect, it, vi } from 'vitest';
import { rankItems } from './rank-items';
import { settingCommands, zoneCommands } from './setting-commands';

const set = { setTheme: vi.fn(), setDensity: vi.fn(), setZone: vi.fn() };
const settings = settingCommands({ theme: 'system', density: 'compact', zone: 'local' }, set);

it('offers each choice, and says which is the current one', () => {
  expect(settings.map(({ label, detail }) => (detail ? `${label}, ${String(detail)}` : label))).toEqual([
    'Theme: light',
    'Theme: dark',
    'Theme: system, current',
    'Density: comfortable',
    'Density: compact, current',
    'Time zone: this device, current',
    'Time zone: UTC',
  ]);
  for (const { choose } of settings) choose();
  expect(set.setTheme.mock.calls).toEqual([['light'], ['dark'], ['system']]);
  expect(set.setDensity.mock.calls).toEqual([['comfortable'], ['compact']]);
  expect(set.setZone.mock.calls).toEqual([['local'], ['UTC']]);
});

it('is found by other words', () => {
  const best = (typed: string) => rankItems(settings, typed, 1)[0]?.label;
  expect(best('dark mode')).toBe('Theme: dark');
  expect(best('table rows')).toBe('Density: comfortable');
  expect(best('timezone utc')).toBe('Time zone: UTC');
});

it('offers a time zone only when its name is typed', () => {
  const names = ['UTC', 'America/New_York', 'Europe/Berlin'];
  const zones = (typed: string) =>
    zoneCommands(typed, names, 'Europe/Berlin', set.setZone).map(({ label }) => label);
  expect(zones('time zone')).toEqual([]);
  expect(zones('be')).toEqual([]);
  expect(zones('utc')).toEqual([]);
  expect(zones('Berlin time')).toEqual(['Time zone: Europe/Berlin']);
  expect(rankItems(zoneCommands('new york', names, 'UTC', set.setZone), 'new york', 5)).toHaveLength(1);
});

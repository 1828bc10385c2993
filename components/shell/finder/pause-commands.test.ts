import { expect, it, vi } from 'vitest';
import { pauseCommands } from './pause-commands';
import { rankItems } from './rank-items';

it('finds the pause of a queue, a tenant and a job type, and fills its dialog in', () => {
  const open = vi.fn();
  const commands = pauseCommands(
    ['default', 'low'],
    [
      { queue: 'default', kind: 'tenant', name: 'acme' },
      { queue: 'low', kind: 'tenant', name: 'acme' },
      { queue: 'default', kind: 'type', name: 'email.send' },
    ],
    open,
  );
  const best = (typed: string) => rankItems(commands, typed, 9);
  expect(best('pause default')[0]?.label).toBe('Pause default…');
  expect(best('pause acme').map(({ label }) => label)).toEqual([
    'Pause tenant acme in default…',
    'Pause tenant acme in low…',
  ]);
  best('pause acme low')[0]?.choose();
  expect(open).toHaveBeenLastCalledWith('low', { kind: 'tenant', name: 'acme' });
  expect(best('pause email')[0]?.label).toBe('Pause job type email.send in default…');
  best('pause low')[0]?.choose();
  expect(open).toHaveBeenLastCalledWith('low', {});
});

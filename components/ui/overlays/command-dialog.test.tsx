// @vitest-environment happy-dom
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { CommandDialog } from './command-dialog';
import type { CommandItem } from './command-option';

afterEach(cleanup);
const chosen = vi.fn();
const item = (label: string, more: Partial<CommandItem> = {}): CommandItem => ({
  key: label,
  label,
  kind: 'Thing',
  choose: () => chosen(label),
  ...more,
});

function Host({ late = [] }: { late?: readonly CommandItem[] }) {
  const [open, setOpen] = useState(true);
  const [typed, setTyped] = useState('');
  const items = [item('one'), item('two'), item('three', { stays: true })];
  return open ? (
    <CommandDialog
      title="Find"
      placeholder="…"
      typed={typed}
      onType={setTyped}
      groups={[
        { label: 'Late', items: late },
        { label: 'All', items },
      ]}
      status=""
      onClose={() => setOpen(false)}
    />
  ) : null;
}
const active = () => screen.getByRole('option', { selected: true }).textContent;

it('moves through the list by arrows, around its ends, and names the active option', async () => {
  render(<Host />);
  const box = screen.getByRole('combobox', { name: 'Find' });
  expect(active()).toContain('one');
  await userEvent.type(box, '{ArrowDown}');
  expect(active()).toContain('two');
  await userEvent.type(box, '{ArrowUp}{ArrowUp}');
  expect(active()).toContain('three');
  expect(document.getElementById(box.getAttribute('aria-activedescendant') ?? '')?.textContent).toContain(
    'three',
  );
});

it('keeps the active option when others come in above it, until something is typed', async () => {
  const { rerender } = render(<Host />);
  const box = screen.getByRole('combobox');
  await userEvent.type(box, '{ArrowDown}');
  rerender(<Host late={[item('found')]} />);
  expect(active()).toContain('two');
  await userEvent.type(box, 'x');
  expect(active()).toContain('found');
});

it('shows what has an address as a link, which a click with Ctrl leaves to the browser', async () => {
  chosen.mockClear();
  render(<Host late={[item('page', { href: '/page' })]} />);
  const link = screen.getByRole('option', { name: /page/ });
  expect(link).toHaveProperty('tagName', 'A');
  expect(link.getAttribute('href')).toBe('/page');
  const clicks: { ctrlKey: boolean; isOurs: boolean }[] = [];
  const see = (event: MouseEvent) => {
    clicks.push({ ctrlKey: event.ctrlKey, isOurs: event.defaultPrevented });
    event.preventDefault();
  };
  window.addEventListener('click', see);
  const box = screen.getByRole('combobox');
  await userEvent.type(box, '{Control>}{Enter}{/Control}');
  expect(chosen).not.toHaveBeenCalled();
  expect(document.activeElement).toBe(box);
  await userEvent.type(box, '{Enter}');
  await waitFor(() => expect(chosen).toHaveBeenCalledWith('page'));
  window.removeEventListener('click', see);
  expect(clicks.filter(({ ctrlKey }) => ctrlKey)).toEqual([{ ctrlKey: true, isOurs: false }]);
  expect(clicks.filter(({ ctrlKey }) => !ctrlKey).at(-1)).toEqual({ ctrlKey: false, isOurs: true });
});

it('leaves a click to whoever took it before, and closes', async () => {
  chosen.mockClear();
  const take = (event: MouseEvent) => event.target instanceof HTMLAnchorElement && event.preventDefault();
  document.addEventListener('click', take, true);
  render(<Host late={[item('page', { href: '/page' })]} />);
  await userEvent.type(screen.getByRole('combobox'), '{Enter}');
  document.removeEventListener('click', take, true);
  await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull());
  expect(chosen).not.toHaveBeenCalled();
});

it('closes before it does what was chosen, unless the choice belongs to it', async () => {
  chosen.mockClear();
  render(<Host />);
  const box = screen.getByRole('combobox');
  await userEvent.type(box, '{ArrowUp}{Enter}');
  expect(chosen).toHaveBeenCalledWith('three');
  expect(screen.queryByRole('combobox')).not.toBeNull();
  await userEvent.type(box, '{ArrowUp}{Enter}');
  await waitFor(() => expect(chosen).toHaveBeenLastCalledWith('two'));
  expect(screen.queryByRole('combobox')).toBeNull();
});

// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { Menu, MenuContent, MenuItem, MenuTrigger } from './dropdown-menu';

afterEach(cleanup);

const show = (onSelect = vi.fn()) =>
  render(
    <Menu>
      <MenuTrigger>Actions</MenuTrigger>
      <MenuContent>
        <MenuItem blocked="not yours">Pause</MenuItem>
        <MenuItem onSelect={onSelect}>Drain</MenuItem>
      </MenuContent>
    </Menu>,
  );
const trigger = () => screen.getByRole('button', { name: 'Actions' });
const focusedItem = () =>
  vi.waitFor(() => expect(document.activeElement?.textContent).toBe('Drain'), { timeout: 20_000 });

it.each(['{Enter}', ' ', '{ArrowDown}'])(
  'opened by the key %j, the focus is on the first item',
  async (key) => {
    const onSelect = vi.fn();
    show(onSelect);
    trigger().focus();
    await userEvent.keyboard(key);
    await focusedItem();
    expect(onSelect).not.toHaveBeenCalled();
    await userEvent.keyboard('{Enter}');
    expect(onSelect).toHaveBeenCalledOnce();
    await vi.waitFor(() => expect(document.activeElement).toBe(trigger()), { timeout: 20_000 });
    await userEvent.keyboard('{Enter}');
    await focusedItem();
  },
);

it('opened by the pointer, no item has the focus', async () => {
  show();
  await userEvent.click(trigger());
  const menu = await screen.findByRole('menu', {}, { timeout: 20_000 });
  await vi.waitFor(() => expect(document.activeElement).toBe(menu), { timeout: 20_000 });
});

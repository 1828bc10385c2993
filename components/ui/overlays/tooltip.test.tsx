// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { Tooltip } from './tooltip';

afterEach(cleanup);
const WAIT = { timeout: 20_000 };

it('shows under the pointer, describes its button, and closes with Escape, a press or by leaving', async () => {
  const user = userEvent.setup();
  const onPress = vi.fn();
  render(
    <Tooltip content="Last hour">
      <button type="button" onPointerDown={onPress}>
        Rate
      </button>
    </Tooltip>,
  );
  const button = screen.getByRole('button');
  const open = async () => {
    await user.hover(button);
    const tooltip = await screen.findByRole('tooltip', {}, WAIT);
    expect(tooltip.textContent).toBe('Last hour');
    expect(button.getAttribute('aria-describedby')).toBe(tooltip.id);
  };
  const expectClosed = () =>
    vi.waitFor(() => {
      expect(screen.queryByRole('tooltip')).toBeNull();
      expect(button.hasAttribute('aria-describedby')).toBe(false);
    }, WAIT);

  await open();
  await user.keyboard('{Escape}');
  await expectClosed();
  await user.unhover(button);

  await open();
  // Not a whole click: the focus it gives is not `:focus-visible` in browsers only.
  fireEvent.pointerDown(button);
  await expectClosed();
  expect(onPress).toHaveBeenCalledOnce();
  await user.unhover(button);

  await open();
  await user.unhover(button);
  await expectClosed();
});

// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { FormDialog } from './form-dialog';

const props = () => ({
  title: 'Rename',
  description: 'Shown to everyone.',
  submitLabel: 'Save',
  onSubmit: vi.fn(),
  onClose: vi.fn(),
  children: <input aria-label="Name" />,
});

afterEach(cleanup);

describe('FormDialog', () => {
  it('submits by its button and by Enter in a field', async () => {
    const given = props();
    render(<FormDialog {...given} />);
    expect(screen.getByRole('dialog', { name: 'Rename', description: 'Shown to everyone.' })).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    await userEvent.type(screen.getByLabelText('Name'), 'x{Enter}');
    expect(given.onSubmit).toHaveBeenCalledTimes(2);
    expect(given.onClose).not.toHaveBeenCalled();
  });

  it.each(['disabled', 'pending'] as const)('does not submit while %s, not even by Enter', async (state) => {
    const given = props();
    render(<FormDialog {...given} {...{ [state]: true }} />);
    expect(screen.getByRole('button', { name: 'Save' }).hasAttribute('disabled')).toBe(true);
    await userEvent.type(screen.getByLabelText('Name'), 'x{Enter}');
    expect(given.onSubmit).not.toHaveBeenCalled();
  });

  it.each(['Cancel', 'Close'])('closes by %s', async (name) => {
    const given = props();
    render(<FormDialog {...given} />);
    await userEvent.click(screen.getByRole('button', { name }));
    expect(given.onClose).toHaveBeenCalledOnce();
    expect(given.onSubmit).not.toHaveBeenCalled();
  });

  it('closes by Escape', async () => {
    const given = props();
    render(<FormDialog {...given} />);
    await userEvent.keyboard('{Escape}');
    expect(given.onClose).toHaveBeenCalledOnce();
  });

  it('announces an error below its fields', () => {
    render(<FormDialog {...props()} error="That name is taken." />);
    expect(screen.getByRole('alert').textContent).toContain('That name is taken.');
  });
});

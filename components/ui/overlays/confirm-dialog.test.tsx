// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ConfirmDialog } from './confirm-dialog';

const props = () => ({
  open: true,
  onOpenChange: vi.fn(),
  title: 'Purge 12 jobs?',
  confirmLabel: 'Purge',
  onConfirm: vi.fn(),
});
const confirm = () => screen.getByRole('button', { name: 'Purge' });

afterEach(cleanup);

describe('ConfirmDialog', () => {
  it('confirms without a reason where none is asked for', async () => {
    const given = props();
    render(<ConfirmDialog {...given} facts={[{ label: 'Jobs', value: '12' }]} />);
    expect(screen.getByRole('alertdialog', { name: 'Purge 12 jobs?' }).textContent).toContain('Jobs12');
    await userEvent.click(confirm());
    expect(given.onConfirm).toHaveBeenCalledExactlyOnceWith({ reason: '' });
  });

  it('waits for a required reason and hands it on trimmed', async () => {
    const given = props();
    render(<ConfirmDialog {...given} reason="required" />);
    expect(confirm().hasAttribute('disabled')).toBe(true);
    await userEvent.type(screen.getByLabelText('Reason'), '   ');
    expect(confirm().hasAttribute('disabled')).toBe(true);
    await userEvent.type(screen.getByLabelText('Reason'), 'fixed {Enter}');
    expect(given.onConfirm).toHaveBeenCalledExactlyOnceWith({ reason: 'fixed' });
  });

  it('waits for the text letter for letter, also when Enter is pressed', async () => {
    const given = props();
    render(<ConfirmDialog {...given} requireText="12" />);
    await userEvent.type(screen.getByLabelText('Type 12 to confirm'), '1{Enter}');
    expect(given.onConfirm).not.toHaveBeenCalled();
    await userEvent.type(screen.getByLabelText('Type 12 to confirm'), '2');
    await userEvent.click(confirm());
    expect(given.onConfirm).toHaveBeenCalledOnce();
  });

  it('does not confirm twice, shows what was refused, and closes by Cancel and Escape', async () => {
    const given = props();
    const { rerender } = render(<ConfirmDialog {...given} pending error="Too late." />);
    expect(confirm().hasAttribute('disabled')).toBe(true);
    expect(screen.getByRole('alert').textContent).toContain('Too late.');
    rerender(<ConfirmDialog {...given} />);
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await userEvent.keyboard('{Escape}');
    expect(given.onOpenChange.mock.calls).toEqual([[false], [false]]);
  });
});

// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { ApiError } from './api-client';
import { useContractForm } from './use-contract-form';

const schema = z.strictObject({
  name: z.string().min(1, 'must not be empty'),
  delayMs: z.number('must be a number').max(1_000, 'must be at most 1000'),
  timing: z.union([z.strictObject({ cron: z.string().min(5, 'is too short') }), z.literal('now')]),
});
const refusal = (...fields: { field: string; message: string }[]) =>
  new ApiError({ status: 400, code: 'BAD_REQUEST', detail: 'The request is not valid.', fields });
const send = vi.fn();

function Form({ error = null }: { error?: ApiError | null }) {
  const form = useContractForm({
    schema,
    defaultValues: { name: '', seconds: '1', cron: '* * *', text: '{}' },
    toRequest: ({ name, seconds, cron }) => ({
      name: name.trim(),
      delayMs: Number(seconds) * 1_000,
      timing: cron === 'now' ? ('now' as const) : { cron },
    }),
    fields: { delayMs: 'seconds', 'timing.cron': 'cron' },
    check: ({ text }) => (text === '' ? { text: 'is not JSON' } : {}),
    error,
    onSubmit: send,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        form.submit();
      }}
    >
      {(['name', 'seconds', 'cron', 'text'] as const).map((name) => (
        <div key={name}>
          <input aria-label={name} {...form.register(name)} />
          <output aria-label={`${name} problem`}>{form.problem(name)}</output>
        </div>
      ))}
      <output aria-label="error">{form.error}</output>
      <button type="submit">Send</button>
    </form>
  );
}
const said = (label: string) => screen.getByLabelText(label).textContent;
const press = () => userEvent.click(screen.getByRole('button'));

afterEach(() => {
  cleanup();
  send.mockReset();
});

describe('useContractForm', () => {
  it('sends the request for what was typed', async () => {
    render(<Form />);
    await userEvent.type(screen.getByLabelText('name'), ' report ');
    await press();
    expect(send).toHaveBeenCalledExactlyOnceWith({
      name: 'report',
      delayMs: 1_000,
      timing: { cron: '* * *' },
    });
  });

  it('says nothing before the first attempt, then what is wrong beside each field, at every change', async () => {
    render(<Form />);
    expect(said('name problem')).toBe('');
    await userEvent.clear(screen.getByLabelText('seconds'));
    await userEvent.type(screen.getByLabelText('seconds'), '2');
    await press();
    expect(said('name problem')).toBe('must not be empty');
    expect(said('seconds problem')).toBe('must be at most 1000');
    expect(send).not.toHaveBeenCalled();
    await userEvent.type(screen.getByLabelText('name'), 'x');
    expect(said('name problem')).toBe('');
  });

  it('places what a branch of a union says', async () => {
    render(<Form />);
    await userEvent.type(screen.getByLabelText('name'), 'x');
    await userEvent.clear(screen.getByLabelText('cron'));
    await press();
    expect(said('cron problem')).toBe('is too short');
    expect(send).not.toHaveBeenCalled();
  });

  it('checks what the schema cannot', async () => {
    render(<Form />);
    await userEvent.type(screen.getByLabelText('name'), 'x');
    await userEvent.clear(screen.getByLabelText('text'));
    await press();
    expect(said('text problem')).toBe('is not JSON');
    expect(send).not.toHaveBeenCalled();
  });

  it('places the refusals of the API by their path or its end, and says once what has no field', () => {
    const placed = refusal(
      { field: 'job.name', message: 'is taken' },
      { field: 'delayMs', message: 'is too long' },
    );
    const { rerender } = render(<Form error={placed} />);
    expect(said('name problem')).toBe('is taken');
    expect(said('seconds problem')).toBe('is too long');
    expect(said('error')).toBe('');
    rerender(
      <Form error={refusal({ field: 'name', message: 'is taken' }, { field: 'other', message: 'no' })} />,
    );
    expect(said('name problem')).toBe('is taken');
    expect(said('error')).toBe('The request is not valid.');
    rerender(<Form error={refusal()} />);
    expect(said('error')).toBe('The request is not valid.');
  });
});

// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { type ReactElement, useRef, useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { QueryInput, type QueryInputProps } from './query-input';

const option = (insert: string, count: number | null = null) => ({
  insert,
  from: 0,
  to: 1,
  kind: 'field',
  hint: null,
  count,
});
const OPTIONS = [option('type:'), option('tenant:', 7)];
const on = {
  onCaret: vi.fn(),
  onFix: vi.fn(),
  onSubmit: vi.fn(),
  onClear: vi.fn(),
  onGiveUp: vi.fn(),
};

function Field({ initial = '', ...props }: { initial?: string } & Partial<QueryInputProps>) {
  const [text, setText] = useState(initial);
  const input = useRef<HTMLInputElement>(null);
  return (
    <QueryInput
      label="Query"
      value={text}
      options={OPTIONS}
      problem={null}
      input={input}
      {...on}
      onChange={setText}
      onAccept={({ insert }) => {
        setText(insert);
        return insert.length;
      }}
      {...props}
    />
  );
}
const show = (element: ReactElement) => render(element);
const field = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Query' });
const active = () =>
  document.getElementById(field().getAttribute('aria-activedescendant') ?? '')?.textContent;

beforeEach(() => {
  for (const spy of Object.values(on)) spy.mockReset();
});
afterEach(cleanup);

describe('QueryInput', () => {
  it('lists suggestions while it has the focus; the arrows go through them and past their ends', async () => {
    show(<Field />);
    expect(screen.queryByRole('listbox')).toBeNull();
    await userEvent.click(field());
    expect((await screen.findAllByRole('option')).map((listed) => listed.textContent)).toEqual([
      'type:field',
      'tenant:7',
    ]);
    await userEvent.keyboard('{ArrowDown}{ArrowDown}');
    expect(active()).toBe('tenant:7');
    await userEvent.keyboard('{ArrowDown}');
    expect(active()).toBeUndefined();
    await userEvent.keyboard('{ArrowUp}');
    expect(active()).toBe('tenant:7');
    await userEvent.tab();
    expect(field().value).toBe('tenant:');
  });

  it('takes the marked suggestion by Enter or by a click, and searches by Enter when none is marked', async () => {
    show(<Field />);
    await userEvent.click(field());
    await userEvent.keyboard('{ArrowDown}{Enter}');
    expect(field().value).toBe('type:');
    expect(on.onSubmit).not.toHaveBeenCalled();
    await userEvent.click(await screen.findByRole('option', { name: /tenant/ }));
    expect(field().value).toBe('tenant:');
    await userEvent.keyboard('{Enter}');
    expect(on.onSubmit).toHaveBeenCalledOnce();
    expect(screen.queryByRole('listbox')).toBeNull();
  });

  it('closes the list by Escape first, and then gives up what was typed', async () => {
    show(<Field />);
    await userEvent.type(field(), 't');
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('listbox')).toBeNull();
    expect(on.onGiveUp).not.toHaveBeenCalled();
    await userEvent.keyboard('{Escape}');
    expect(on.onGiveUp).toHaveBeenCalledOnce();
  });

  it('says what cannot be read, where, and offers the fix', async () => {
    const problem = { message: 'No field of this name.', position: 0, length: 4, suggestion: 'type' };
    show(<Field initial="tipe:x" problem={problem} />);
    expect(field().getAttribute('aria-invalid')).toBe('true');
    expect(document.getElementById(field().getAttribute('aria-describedby') ?? '')?.textContent).toContain(
      'No field of this name.',
    );
    await userEvent.click(screen.getByRole('button', { name: /type$/ }));
    expect(on.onFix).toHaveBeenCalledOnce();
  });

  it('can be cleared while something is typed', async () => {
    show(<Field initial="x" />);
    await userEvent.click(screen.getByRole('button', { name: 'Clear the query' }));
    expect(on.onClear).toHaveBeenCalledOnce();
    expect(document.activeElement).toBe(field());
  });
});

// @vitest-environment happy-dom
import { act, cleanup, render, renderHook, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DataColumn, DataTable } from './data-table';
import { useFoldedColumns } from './fold-columns';
import { parseTableSettings, useTableSettings, WIDTH_MAX, WIDTH_MIN } from './table-settings';
import { TableViewButton } from './table-view-button';

interface Row {
  id: string;
  queue: string;
  code: string | null;
}
const column = (key: keyof Row, more: Partial<DataColumn<Row>> = {}): DataColumn<Row> => ({
  key,
  head: key.toUpperCase(),
  width: 80,
  cell: (row) => row[key],
  ...more,
});
const COLUMNS = [
  column('id', { pinned: true }),
  column('queue', { narrow: 'narrow-only', constant: ({ queue }) => queue }),
  column('code', { constant: ({ code }) => code }),
];
const row = (id: string, queue: string, code: string | null = 'E1'): Row => ({ id, queue, code });

beforeEach(() => {
  localStorage.clear();
  window.dispatchEvent(new StorageEvent('storage', { key: null }));
});
afterEach(cleanup);

describe('parseTableSettings', () => {
  it('takes what fits and leaves out the rest', () => {
    for (const text of [null, '', 'nonsense', '[]', 'null', '7', '{"density":7,"tables":"x"}'])
      expect(parseTableSettings(text)).toEqual({ density: 'comfortable', tables: {} });
    const stored = {
      density: 'compact',
      tables: { dead: { shown: { a: true, b: 'yes' }, widths: { a: 1, b: 1e9, c: 'wide' } }, jobs: null },
    };
    expect(parseTableSettings(JSON.stringify(stored))).toEqual({
      density: 'compact',
      tables: {
        dead: { shown: { a: true }, widths: { a: WIDTH_MIN, b: WIDTH_MAX } },
        jobs: { shown: {}, widths: {} },
      },
    });
  });
});

describe('a named table', () => {
  const show = () =>
    render(
      <>
        <TableViewButton name="dead" columns={COLUMNS} />
        <DataTable
          label="Rows"
          name="dead"
          columns={COLUMNS}
          rows={[row('1', 'email')]}
          rowKey={({ id }) => id}
        />
      </>,
    );
  const heads = () => screen.getAllByRole('columnheader', { hidden: true }).map((head) => head.textContent);

  it('has the columns, widths and density that its person chose, also after a reload', async () => {
    const user = userEvent.setup();
    const { unmount, container } = show();
    expect(heads()).toEqual(['ID', 'QUEUE', 'CODE']);
    expect(container.querySelectorAll('col')[1]?.className).toContain('narrow-only');
    await user.click(screen.getByRole('button', { name: 'Table view' }));
    const pinned = await screen.findByRole<HTMLButtonElement>(
      'checkbox',
      { name: 'ID' },
      { timeout: 20_000 },
    );
    expect(pinned.disabled).toBe(true);
    await user.click(screen.getByRole('checkbox', { name: 'CODE' }));
    // One digit is not a width yet.
    await user.type(screen.getByRole('spinbutton', { name: 'Width of QUEUE in pixels' }), '240');
    await user.click(screen.getByRole('radio', { name: 'Compact' }));
    expect(heads()).toEqual(['ID', 'QUEUE']);
    unmount();
    // What another tab wrote counts as well: the settings are read again.
    window.dispatchEvent(new StorageEvent('storage', { key: null }));
    const again = show().container;
    expect(heads()).toEqual(['ID', 'QUEUE']);
    expect(again.querySelectorAll('col')[1]?.style.width).toBe('240px');
    expect(again.querySelector('table')?.dataset.density).toBe('compact');
  });

  it('shows a column that was asked for on narrow screens, too, and then scrolls', () => {
    const { result } = renderHook(() => useTableSettings('dead'));
    act(() => result.current.show('queue', true));
    const { container } = show();
    expect(container.querySelectorAll('col')[1]?.className).not.toContain('narrow-only');
    expect(container.querySelector('table')?.style.minWidth).toBe('240px');
  });
});

describe('useFoldedColumns', () => {
  const fold = (rows: readonly Row[] | null, view = 'v') =>
    renderHook((props) => useFoldedColumns('dead', props.view, COLUMNS, props.rows), {
      initialProps: { rows, view },
    });
  const keysOf = (columns: readonly DataColumn<Row>[]) => columns.map(({ key }) => key);

  it('folds columns in which all rows say the same, and says it once', () => {
    const { result } = fold([row('1', 'low'), row('2', 'low', 'E2')]);
    expect(keysOf(result.current.columns)).toEqual(['id', 'code']);
    expect(result.current.folded).toEqual([{ key: 'queue', head: 'QUEUE', value: 'low' }]);
  });

  it('folds nothing for one row, and nothing that is missing', () => {
    expect(fold([row('1', 'low')]).result.current.folded).toEqual([]);
    expect(fold(null).result.current.folded).toEqual([]);
    expect(keysOf(fold([row('1', 'a', null), row('2', 'b', null)]).result.current.columns)).toContain('code');
  });

  it('keeps a column that differed once, until the view is another', () => {
    const same = [row('1', 'low'), row('2', 'low', 'E2')];
    const { result, rerender } = fold(same);
    rerender({ rows: [...same, row('3', 'high')], view: 'v' });
    expect(result.current.folded).toEqual([]);
    rerender({ rows: same, view: 'v' });
    expect(keysOf(result.current.columns)).toContain('queue');
    rerender({ rows: same, view: 'w' });
    expect(keysOf(result.current.columns)).not.toContain('queue');
  });

  it('keeps a column that its person chose', () => {
    const { result } = fold([row('1', 'low'), row('2', 'low', 'E2')]);
    const settings = renderHook(() => useTableSettings('dead'));
    act(() => settings.result.current.show('queue', true));
    expect(keysOf(result.current.columns)).toContain('queue');
    expect(result.current.folded).toEqual([]);
  });
});

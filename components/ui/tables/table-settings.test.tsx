// @vitest-environment happy-dom
import { act, cleanup, render, renderHook, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { COLUMN_WIDTH_MAX, COLUMN_WIDTH_MIN } from '@/lib/format/column-settings';
import { type DataColumn, DataTable } from './data-table';
import { useFoldedColumns } from './fold-columns';
import {
  adoptTables,
  parseTableSettings,
  tablesSaved,
  useStoredTables,
  useTableSettings,
} from './table-settings';
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
      expect(parseTableSettings(text)).toEqual({
        density: 'comfortable',
        tables: {},
        owner: null,
        unsaved: false,
      });
    const stored = {
      density: 'compact',
      tables: { dead: { shown: { a: true, b: 'yes' }, widths: { a: 1, b: 1e9, c: 'wide' } }, jobs: null },
    };
    expect(parseTableSettings(JSON.stringify(stored))).toEqual({
      owner: null,
      unsaved: false,
      density: 'compact',
      tables: {
        dead: { shown: { a: true }, widths: { a: COLUMN_WIDTH_MIN, b: COLUMN_WIDTH_MAX } },
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

describe('with an account', () => {
  const COMPACT = { density: 'compact', tables: {} } as const;
  const USUAL = { density: 'comfortable', tables: {} } as const;
  const store = () =>
    renderHook(() => ({ stored: useStoredTables(), table: useTableSettings('dead') })).result;

  it('shows what the account has, and nothing that another person chose here', () => {
    const result = store();
    act(() => adoptTables('ann', COMPACT));
    expect(result.current.stored).toMatchObject({ density: 'compact', owner: 'ann', unsaved: false });
    act(() => adoptTables('bob', null));
    expect(result.current.stored).toMatchObject({ ...USUAL, owner: 'bob', unsaved: false });
  });

  it('keeps a choice until the account has it, and then follows the account', () => {
    const result = store();
    act(() => adoptTables('ann', USUAL));
    act(() => result.current.table.setDensity('compact'));
    const sent = result.current.stored;
    // An older answer, and a choice made while the first is under way.
    act(() => adoptTables('ann', USUAL));
    act(() => result.current.table.show('queue', false));
    act(() => tablesSaved(sent));
    expect(result.current.stored).toMatchObject({ density: 'compact', unsaved: true });
    act(() => tablesSaved(result.current.stored));
    expect(result.current.stored.unsaved).toBe(false);
    act(() => adoptTables('ann', USUAL));
    expect(result.current.stored.density).toBe('comfortable');
  });

  it('gives an account that has nothing what was chosen in this browser before', () => {
    localStorage.setItem('redrive-tables', '{"density":"compact"}');
    window.dispatchEvent(new StorageEvent('storage', { key: null }));
    const result = store();
    act(() => adoptTables('ann', null));
    expect(result.current.stored).toMatchObject({ density: 'compact', owner: 'ann', unsaved: true });
    // An unsaved choice of one person is not given to the next.
    act(() => adoptTables('bob', null));
    expect(result.current.stored).toMatchObject({ density: 'comfortable', owner: 'bob', unsaved: false });
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

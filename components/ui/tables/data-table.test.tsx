// @vitest-environment happy-dom
import { cleanup, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type DataColumn, DataTable, type TableSelection } from './data-table';

interface Row {
  id: string;
  jobs: number;
}
const rows: readonly Row[] = [
  { id: 'email', jobs: 3 },
  { id: 'video', jobs: 0 },
];
const columns: readonly DataColumn<Row>[] = [
  { key: 'id', head: 'Queue', rowHeader: true, cell: ({ id }) => id },
  {
    key: 'jobs',
    head: 'Jobs',
    headTitle: 'In every state',
    width: 60,
    numeric: true,
    className: 'max-sm:hidden',
    title: ({ jobs }) => `${jobs} jobs`,
    cell: ({ jobs }) => jobs,
  },
];
const table = { label: 'Queues', columns, rowKey: ({ id }: Row) => id };
const selection = (): TableSelection<Row> => ({
  state: 'some',
  rowLabel: ({ id }) => `Select ${id}`,
  isSelected: ({ id }) => id === 'email',
  onToggle: vi.fn(),
  onToggleAll: vi.fn(),
});

afterEach(cleanup);

describe('DataTable', () => {
  it('has a region that can be focused, heads and a cell a column', () => {
    render(<DataTable {...table} rows={rows} />);
    expect(screen.getByRole('region', { name: 'Queues' }).tabIndex).toBe(0);
    expect(screen.getAllByRole('columnheader').map((head) => head.textContent)).toEqual(['Queue', 'Jobs']);
    const row = screen.getByRole('row', { name: /email/ });
    expect(within(row).getByRole('rowheader').textContent).toBe('email');
    const cell = within(row).getByRole('cell');
    expect(cell.textContent).toBe('3');
    expect(cell.title).toBe('3 jobs');
    expect(cell.className).toContain('max-sm:hidden');
  });

  it('shows placeholders until rows are known, and then what an empty list means', () => {
    const { container, rerender } = render(
      <DataTable {...table} rows={null} skeletonRows={4} empty="No queues." />,
    );
    expect(container.querySelectorAll('tbody tr[aria-hidden]')).toHaveLength(4);
    expect(screen.queryByText('No queues.')).toBeNull();
    rerender(<DataTable {...table} rows={[]} empty="No queues." />);
    // Laid out below the columns, of which a narrow screen hides some.
    expect(screen.getByText('No queues.').closest('tbody')?.className).toContain('table-caption');
    expect(container.querySelector('tr[aria-hidden]')).toBeNull();
  });

  it('puts what is not shown below the last row', () => {
    render(<DataTable {...table} rows={rows} more="10 more" />);
    expect(screen.getAllByRole('row').at(-1)?.textContent).toBe('10 more');
  });

  it('selects rows, with Shift for a range, and all of them', async () => {
    const chosen = selection();
    render(<DataTable {...table} rows={rows} selection={chosen} empty="No queues." />);
    expect(screen.getByRole('row', { name: /email/ }).getAttribute('aria-selected')).toBe('true');
    expect(
      screen.getByRole('checkbox', { name: 'Select all on this page' }).getAttribute('aria-checked'),
    ).toBe('mixed');
    const user = userEvent.setup();
    await user.click(screen.getByRole('checkbox', { name: 'Select email' }));
    expect(chosen.onToggle).toHaveBeenLastCalledWith(rows[0], false, false);
    await user.keyboard('{Shift>}');
    await user.click(screen.getByRole('checkbox', { name: 'Select video' }));
    await user.keyboard('{/Shift}');
    expect(chosen.onToggle).toHaveBeenLastCalledWith(rows[1], true, true);
    await user.click(screen.getByRole('checkbox', { name: 'Select all on this page' }));
    expect(chosen.onToggleAll).toHaveBeenCalledExactlyOnceWith(true);
  });
});

'use client';
import type { PointerEvent } from 'react';
import { clampWidth } from './table-settings';

/**
 * The edge of a head that is dragged to make its column wider or narrower; a double click gives the usual width back. Widths are set by
 * keyboard in the table's view settings, so that this is no stop on the way to the rows.
 */
export function ColumnResizer({
  onWidth,
}: {
  /** In pixels; null: the usual one. */
  onWidth: (width: number | null) => void;
}) {
  const onPointerDown = (event: PointerEvent<HTMLSpanElement>) => {
    const handle = event.currentTarget;
    const cell = handle.closest('th');
    const column = cell?.closest('table')?.querySelectorAll('col')[cell.cellIndex];
    if (!cell || !column || event.button !== 0) return;
    event.preventDefault();
    handle.setPointerCapture(event.pointerId);
    const from = event.clientX;
    const before = cell.getBoundingClientRect().width;
    let width: number | null = null;
    // The column alone follows the pointer; the rows are rendered again once, at the end.
    handle.onpointermove = ({ clientX }) => {
      width = clampWidth(before + clientX - from);
      column.style.width = `${width}px`;
    };
    handle.onlostpointercapture = () => {
      handle.onpointermove = null;
      handle.onlostpointercapture = null;
      if (width !== null) onWidth(width);
    };
  };
  return (
    <span
      aria-hidden
      data-slot="column-resizer"
      className="absolute inset-y-0 -right-1.5 z-10 w-3 cursor-col-resize touch-none after:absolute after:inset-y-1.5 after:left-1/2 after:w-px after:bg-line hover:after:bg-accent active:after:bg-accent"
      onPointerDown={onPointerDown}
      onDoubleClick={() => onWidth(null)}
    />
  );
}

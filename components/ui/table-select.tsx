'use client';
import { Checkbox } from './checkbox';
import { Td, Th } from './table';

/** The head's box: everything on this page, some of it, or nothing. */
export function SelectAllTh({
  state,
  onChange,
  label = 'Select all on this page',
}: {
  state: 'all' | 'some' | 'none';
  onChange: (select: boolean) => void;
  label?: string;
}) {
  return (
    <Th fit className="pr-1">
      <Checkbox
        aria-label={label}
        className="align-middle"
        checked={state === 'some' ? 'indeterminate' : state === 'all'}
        onCheckedChange={onChange}
      />
    </Th>
  );
}

/** A row's box. `onToggle` learns whether Shift was held, for selecting a range. */
export function SelectTd({
  label,
  checked,
  disabled,
  onToggle,
}: {
  label: string;
  checked: boolean;
  disabled?: boolean;
  onToggle: (select: boolean, range: boolean) => void;
}) {
  return (
    <Td fit className="pr-1">
      <Checkbox
        aria-label={label}
        className="align-middle"
        checked={checked}
        disabled={disabled}
        // The click carries the modifier, the change does not: so the click decides.
        onClick={(e) => onToggle(!checked, e.shiftKey)}
      />
    </Td>
  );
}

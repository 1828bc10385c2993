'use client';
import { useId, useState } from 'react';
import { SlidersHorizontal } from '@/components/ui/icons';
import { COLUMN_WIDTH_MAX, COLUMN_WIDTH_MIN, DENSITIES, type Density } from '@/lib/format/column-settings';
import { Button } from '../controls/button';
import { Checkbox } from '../controls/checkbox';
import { IconButton } from '../controls/icon-button';
import { Input } from '../controls/input';
import { Segmented } from '../controls/segmented';
import { Dialog, DialogContent } from '../overlays/lazy-dialogs';
import type { DataColumn } from './data-column';
import { useStoredTables, useTableSettings } from './table-settings';

const DENSITY_LABELS: Readonly<Record<Density, string>> = { comfortable: 'Comfortable', compact: 'Compact' };

/** Opens the choice of density, columns and widths of a table: its person's own. */
export function TableViewButton<Row>({
  name,
  columns,
}: {
  name: string;
  columns: readonly DataColumn<Row>[];
}) {
  const { density, setDensity, settings, reset } = useTableSettings(name);
  const { owner } = useStoredTables();
  const [open, setOpen] = useState(false);
  const isUsual = Object.keys(settings.shown).length + Object.keys(settings.widths).length === 0;
  return (
    <>
      <IconButton
        label="Table view"
        size="sm"
        tooltip={false}
        title="Density, columns and widths"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <SlidersHorizontal aria-hidden />
      </IconButton>
      <Dialog open={open} onOpenChange={setOpen}>
        <DialogContent
          title="Table view"
          description={owner === null ? 'Kept in this browser.' : 'Yours alone, in every browser.'}
          size="sm"
          footer={
            <Button disabled={isUsual} onClick={reset}>
              Reset columns
            </Button>
          }
        >
          <p className="mb-1 text-muted text-xs">Density of every table</p>
          <Segmented
            label="Density"
            value={density}
            options={DENSITIES.map((value) => ({ value, label: DENSITY_LABELS[value] }))}
            onChange={setDensity}
          />
          <div className="mt-3 mb-1 flex justify-between text-muted text-xs">
            <span>Columns</span>
            <span>Width, px</span>
          </div>
          <ul className="divide-y divide-line">
            {columns.map((column) => (
              <ColumnSetting key={column.key} name={name} column={column} />
            ))}
          </ul>
        </DialogContent>
      </Dialog>
    </>
  );
}

function ColumnSetting<Row>({
  name,
  column: { key, head, width, pinned, narrow },
}: {
  name: string;
  column: DataColumn<Row>;
}) {
  const { settings, show, setWidth } = useTableSettings(name);
  const label = typeof head === 'string' ? head : key;
  const id = useId();
  const shown = settings.shown[key];
  return (
    <li className="flex min-h-8 items-center gap-3">
      <Checkbox
        id={id}
        label={label}
        disabled={pinned === true}
        checked={shown ?? true}
        onCheckedChange={(checked) => show(key, checked)}
      />
      {narrow !== undefined && shown === undefined && (
        <span className="text-2xs text-faint">where there is room</span>
      )}
      {typeof width === 'number' ? (
        <WidthInput
          label={`Width of ${label} in pixels`}
          usual={width}
          width={settings.widths[key] ?? null}
          onWidth={(chosen) => setWidth(key, chosen)}
        />
      ) : (
        <span className="ml-auto text-faint text-xs">takes the rest</span>
      )}
    </li>
  );
}

/** Empty: the usual width. A typed width counts once it is within the limits. */
function WidthInput({
  label,
  usual,
  width,
  onWidth,
}: {
  label: string;
  usual: number;
  width: number | null;
  onWidth: (width: number | null) => void;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  const change = (text: string, value: number) => {
    setTyped(text);
    if (text === '') onWidth(null);
    else if (value >= COLUMN_WIDTH_MIN && value <= COLUMN_WIDTH_MAX) onWidth(value);
  };
  return (
    <span className="ml-auto w-20">
      <Input
        type="number"
        aria-label={label}
        className="h-6 text-right"
        min={COLUMN_WIDTH_MIN}
        max={COLUMN_WIDTH_MAX}
        placeholder={String(usual)}
        value={typed ?? width ?? ''}
        onChange={({ target }) => change(target.value, target.valueAsNumber)}
        onBlur={() => setTyped(null)}
      />
    </span>
  );
}

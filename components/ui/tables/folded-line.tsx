import { Fragment } from 'react';
import type { FoldedColumn } from './fold-columns';

/** "all: queue low, type webhook.deliver". Not where rows are stacked: those say it. Needs a `@container`. */
export function FoldedLine({ folded }: { folded: readonly FoldedColumn[] }) {
  if (folded.length === 0) return null;
  const words = folded.map(({ head, value }) => `${head.toLowerCase()} ${value}`);
  return (
    <span
      data-slot="folded"
      title={`Every row: ${words.join(', ')}`}
      className="min-w-0 flex-[1_1_10rem] truncate text-muted text-xs @max-xl:hidden"
    >
      <span className="text-faint">all: </span>
      {folded.map(({ key, head, value }, index) => (
        <Fragment key={key}>
          {index > 0 && ', '}
          {head.toLowerCase()} <span className="text-fg">{value}</span>
        </Fragment>
      ))}
    </span>
  );
}

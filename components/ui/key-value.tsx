import { cn } from './cn';

export type KeyValueItem = { label: React.ReactNode; value: React.ReactNode; key?: string; mono?: boolean };

/** Names and values in two columns that line up. */
export function KeyValue({ items, className }: { items: readonly KeyValueItem[]; className?: string }) {
  return (
    <dl
      className={cn(
        'grid grid-cols-[minmax(6.75rem,max-content)_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm',
        className,
      )}
    >
      {items.map((item, i) => (
        <div key={item.key ?? (typeof item.label === 'string' ? item.label : i)} className="contents">
          <dt className="text-muted">{item.label}</dt>
          <dd
            translate={item.mono ? 'no' : undefined}
            className={cn('min-w-0 break-words text-fg', item.mono && 'font-mono text-xs leading-5')}
          >
            {item.value ?? '–'}
          </dd>
        </div>
      ))}
    </dl>
  );
}

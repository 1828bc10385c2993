import { cn } from '@/components/ui/cn';

const SQUARES_MAX = 40;

/** How many of its slots a worker uses: one square each, filled when taken; only digits when there are too many. */
export function Slots({ used, total, className }: { used: number; total: number; className?: string }) {
  const words = `${used} of ${total} slots used`;
  return (
    <span className={cn('inline-flex items-center gap-2', className)}>
      {total <= SQUARES_MAX && (
        <span role="img" aria-label={words} title={words} className="inline-flex flex-wrap gap-0.5">
          {Array.from({ length: Math.max(total, used) }, (_, i) => (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: slots have no identity but their place.
              key={i}
              className={cn(
                'size-2.5 rounded-xs',
                i < used ? 'bg-state-in-flight' : 'bg-transparent ring-1 ring-line-strong ring-inset',
                i >= total && 'opacity-50',
              )}
            />
          ))}
        </span>
      )}
      <span className="whitespace-nowrap text-muted text-xs">
        {used}/{total}
      </span>
    </span>
  );
}

import { Skeleton } from '@/components/ui/skeleton';

const ROWS = Array.from({ length: 12 }, (_, i) => i);

/** The shape of a page: head, a strip of numbers, rows. */
export default function Loading() {
  return (
    <div role="status" aria-busy="true" className="p-4">
      <span className="sr-only">Loading</span>
      <Skeleton className="h-5 w-40" />
      <div className="mt-5 flex gap-8">
        <Skeleton className="h-12 w-28" />
        <Skeleton className="h-12 w-28" />
        <Skeleton className="h-12 w-28 max-sm:hidden" />
      </div>
      <div className="mt-6 rounded-md border border-line bg-panel">
        {ROWS.map((row) => (
          <div key={row} className="flex h-7 items-center gap-6 border-line border-b px-3 last:border-b-0">
            <Skeleton className="w-1/4" />
            <Skeleton className="w-1/12" />
            <Skeleton className="w-1/12" />
            <Skeleton className="ml-auto w-1/6" />
          </div>
        ))}
      </div>
    </div>
  );
}

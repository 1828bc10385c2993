import { Panel } from '@/components/ui/panel';
import { Skeleton, SkeletonRows } from '@/components/ui/skeleton';

/** The page in its own shape, so that nothing moves when the numbers come. */
export function QueueSkeleton() {
  return (
    <div role="status" aria-busy="true" className="flex flex-col gap-3 px-4 pb-6 max-sm:px-2">
      <span className="sr-only">Loading</span>
      <div className="grid gap-3 min-[1400px]:grid-cols-[minmax(0,1fr)_18rem]">
        <Panel className="h-38">
          <Skeleton className="h-8 w-full" />
          <Skeleton className="mx-auto mt-8 h-8 w-4/5" />
        </Panel>
        <Panel className="max-[1399px]:hidden">
          <Skeleton className="w-1/3" />
          <Skeleton className="mt-4 w-4/5" />
          <Skeleton className="mt-4 w-3/5" />
        </Panel>
      </div>
      <Panel className="h-16">
        <Skeleton className="mt-3 w-3/4" />
      </Panel>
      <Panel flush>
        <Skeleton className="m-3 h-4 w-2/3" />
        <table className="w-full">
          <tbody>
            <SkeletonRows columns={6} rows={12} />
          </tbody>
        </table>
      </Panel>
    </div>
  );
}

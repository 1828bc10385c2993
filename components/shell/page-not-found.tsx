import Link from 'next/link';
import { Button } from '@/components/ui/controls/button';
import { EmptyState } from '@/components/ui/empty-state';
import { MapPinOff } from '@/components/ui/icons';

/** For an address without a page. */
export function PageNotFound() {
  return (
    <div className="flex min-h-[70dvh] items-center justify-center">
      <EmptyState
        page
        icon={<MapPinOff />}
        title="There is nothing at this address"
        action={
          <Button asChild>
            <Link href="/">Go to the overview</Link>
          </Button>
        }
      >
        The queue, job or page may have been deleted, or the address may be mistyped.
      </EmptyState>
    </div>
  );
}

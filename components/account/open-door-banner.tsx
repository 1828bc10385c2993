'use client';
import { Banner } from '@/components/ui/callout';
import { useMe } from '@/lib/client/use-me';

/** AUTH=none, said on every page: whoever reaches this address may do everything. */
export function OpenDoorBanner() {
  if (useMe().data?.way !== 'none') return null;
  return (
    <Banner tone="warn" title="Nobody is asked who they are: AUTH=none.">
      For this machine only.
    </Banner>
  );
}

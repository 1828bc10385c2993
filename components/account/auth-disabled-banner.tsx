'use client';
import { Banner } from '@/components/ui/callout';
import { useMe } from '@/lib/browser/access/use-me';

/** Shown on every page with AUTH=none, where every visitor has full access. */
export function AuthDisabledBanner() {
  if (useMe().data?.method !== 'none') return null;
  return (
    <Banner tone="warn" title="Authentication is disabled (AUTH=none).">
      Use it on this machine only.
    </Banner>
  );
}

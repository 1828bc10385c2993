'use client';
import { Segmented } from '@/components/ui/controls/segmented';
import { useAccessView } from './use-access-view';

/** The user's own items, or all users' items. Hidden from users who see only their own. */
export function OwnerFilter({ what }: { what: string }) {
  const { manages, all, setAll } = useAccessView();
  if (!manages) return null;
  return (
    <Segmented
      label={`Owner of ${what}`}
      value={all ? 'all' : 'own'}
      options={[
        { value: 'own', label: 'Yours' },
        { value: 'all', label: 'All users' },
      ]}
      onChange={(value) => setAll(value === 'all')}
    />
  );
}

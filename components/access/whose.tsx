'use client';
import { Segmented } from '@/components/ui/segmented';
import { useAccessView } from './use-access-view';

/** One's own, or everybody's; nothing to choose for who sees their own only. */
export function Whose({ what }: { what: string }) {
  const { manages, all, setAll } = useAccessView();
  if (!manages) return null;
  return (
    <Segmented
      label={`Whose ${what}`}
      value={all ? 'all' : 'own'}
      options={[
        { value: 'own', label: 'Yours' },
        { value: 'all', label: "Everybody's" },
      ]}
      onChange={(value) => setAll(value === 'all')}
    />
  );
}

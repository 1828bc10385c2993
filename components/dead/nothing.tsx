import { CircleCheckBig, SearchX, Skull } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';

/** No dead letter, or none that is listed: why, and what to do. */
export function Nothing({
  filtered,
  attended = false,
  unfinished = false,
  onClear,
}: {
  /** A query narrows the list. */
  filtered: boolean;
  /** There are some, but somebody resolved or muted their groups. */
  attended?: boolean;
  /** Not everything was looked at: there may be some. */
  unfinished?: boolean;
  onClear: () => void;
}) {
  if (attended)
    return (
      <EmptyState icon={<CircleCheckBig />} title="Nothing here needs attention">
        Every group that matches is resolved or muted.
      </EmptyState>
    );
  if (unfinished)
    return (
      <EmptyState icon={<SearchX />} title="None found so far">
        Not everything was looked at. Go on searching, or narrow the query.
      </EmptyState>
    );
  if (!filtered)
    return (
      <EmptyState icon={<Skull />} title="No dead letters">
        A job ends here when its attempts are used up, its failure is permanent or its deadline has passed.
      </EmptyState>
    );
  return (
    <EmptyState
      icon={<Skull />}
      title="No dead letter matches"
      action={<Button onClick={onClear}>Clear the query</Button>}
    >
      Others may: this list is narrowed by the query above.
    </EmptyState>
  );
}

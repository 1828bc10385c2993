'use client';
import { useGroups, useSearch } from '@/lib/client/use-dead';
import type { GroupsPage, SearchPage } from '@/lib/contract/dead';
import { arrivalsOf, arrivalWords } from './arrivals';
import { groupArrivalsOf, groupArrivalWords } from './group-arrivals';
import { HeldStill } from './held-still';

interface Held<Page> {
  q: string;
  shown: Page;
  onRefresh: () => void;
}

/** While the list of dead letters is held still: what is new behind it. */
export function NewArrivals({ q, shown, onRefresh }: Held<SearchPage>) {
  const { data: now, isPlaceholderData } = useSearch(q);
  const words = now && !isPlaceholderData ? arrivalWords(arrivalsOf(shown, now)) : null;
  return <HeldStill words={words} onRefresh={onRefresh} />;
}

/** The same behind the failure groups. */
export function NewInGroups({ q, shown, onRefresh }: Held<GroupsPage>) {
  const { data: now, isPlaceholderData } = useGroups(q);
  const words = now && !isPlaceholderData ? groupArrivalWords(groupArrivalsOf(shown, now)) : null;
  return <HeldStill words={words} onRefresh={onRefresh} />;
}

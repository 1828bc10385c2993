/** Queries for failure groups. Without the query language, which comes after the page; pure. */
import type { QueryLanguage } from '@/lib/browser/search/query-language';
import type { Filter } from '@/lib/contract/search/query';

/** The query limited to these groups. @param language null while only the empty query can be read */
export function queryForGroups(
  language: QueryLanguage | null,
  filter: Filter,
  groups: readonly string[],
): string {
  const condition = groups.length === 1 ? `group:${groups[0]}` : `group:(${groups.join(' OR ')})`;
  if (language === null || filter.kind === 'all') return condition;
  const parsed = language.parseQuery(condition);
  return language.printQuery(parsed.ok ? language.withTerm(filter, parsed.filter) : filter);
}

/**
 * What a console reads of queues, in whatever engine their jobs are. Written by hand: each store is judged by it. Every read is bounded, and says where it
 * ended before all was read. `within`: the queues and tenants that a reader may see; left out: all.
 */
import type { AccessScope } from '@/lib/contract/access/grant-scopes';
import type { JobPage } from '@/lib/contract/jobs/job-schemas';
import type { ListOptions } from '@/lib/contract/jobs/list-options';
import type { Scope } from '@/lib/contract/operations/operation-request';
import type { FindEvent, FindReply } from '@/lib/contract/search/find-schemas';
import type {
  Facets,
  Group,
  GroupsPage,
  SearchEvent,
  SearchPage,
  Suggestion,
} from '@/lib/contract/search/search-schemas';
import type { FindStreamOptions } from '../search/find/find-stream';
import type { SearchScope } from '../search/open-search';
import type { MatchedJob, ReadMatchesOptions } from '../search/read-matches';
import type { PageOptions } from '../search/search-page';
import type { SuggestScope } from '../search/suggest-terms';
import type { ApplicationBroker } from './broker';

export interface JobStore
  extends Pick<ApplicationBroker['inspect'], 'queues' | 'exists' | 'snapshot' | 'ledger' | 'job'> {
  /** A page of a queue's jobs in one state. @throws RedriveError BAD_CURSOR | BAD_QUERY */
  list(queue: string, options: ListOptions): Promise<JobPage>;
  /** A page of what matches a query, in one state. @throws RedriveError BAD_QUERY | BAD_CURSOR */
  search(scope: SearchScope, options?: PageOptions): Promise<SearchPage>;
  /** The same as it is found, until its limit, its end, or an abort. */
  searchStream(scope: SearchScope, options?: PageOptions): AsyncGenerator<SearchEvent>;
  /** Jobs by id, uniqueness key or idempotency key, over all queues and states. */
  find(text: string, options?: { within?: AccessScope | undefined }): Promise<FindReply>;
  /** Jobs by idempotency key, correlation id or trace id, over all states, as they are found. */
  findStream(text: string, options?: FindStreamOptions): AsyncGenerator<FindEvent>;

  facets(scope: Omit<SearchScope, 'state'> & Partial<SearchScope>): Promise<Facets>;
  groups(scope: Pick<SearchScope, 'q' | 'within'> & { readonly facets?: boolean }): Promise<GroupsPage>;
  /** @throws RedriveError GROUP_NOT_FOUND */
  group(id: string, within?: AccessScope): Promise<Group>;
  /** What may follow at the caret of a query. */
  suggest(scope: SuggestScope): Promise<Suggestion[]>;
  /** All that matches, with payloads: for exports. @throws RedriveError when a shard cannot be read */
  matching(scope: Scope, options: ReadMatchesOptions): AsyncGenerator<MatchedJob>;
}

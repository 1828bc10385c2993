/**
 * Everything that Redrive caps or trims: whose it is, who may hold how much, what happens at the cap, and how there is room again. The
 * shares of `lib/contract/access/quotas.ts` are part of it. A test asks for a row for each place that the scan finds.
 */
import type { QuotaName } from '@/lib/contract/access/quotas';

interface Capped {
  readonly list: string;
  readonly cap: string;
  readonly atCap: string;
  readonly freed: string;
  /** As `capSites` names them. */
  readonly sites: readonly string[];
}

/** Users share it: no user can use up what belongs to others. */
export interface SharedCap extends Capped {
  /** A user's part, and an administrator's. */
  readonly share: string;
  /** `file › title` of the test in which a greedy user fills it and others go on. */
  readonly test: string;
}

/** Users do not share it: it belongs to one queue, worker or process, or a lost row costs nothing but time. */
export interface UnsharedCap extends Capped {
  readonly why: string;
}

/** Where each quota is asked for. What it is stands in QUOTAS. */
export const QUOTA_SITES: Record<QuotaName, readonly string[]> = {
  operations: ['operation-save.lua · shares.refusal keys.operationsShares'],
  undos: ['operation-save.lua · shares.refusal keys.operationsShares'],
  exports: ['operation-save.lua · shares.refusal keys.operationsShares'],
  pauses: ['pause.lua · HLEN keys.pauses', 'pause.lua · shares.refusal keys.pauseShares'],
  schedules: [
    'schedule-save.lua · HLEN keys.schedulesRecords',
    'schedule-save.lua · shares.refusal keys.schedulesShares',
  ],
  fences: [
    'schedule-save.lua · ZCARD keys.schedulesDue',
    'schedule-save.lua · shares.refusal keys.schedulesShares',
  ],
  searches: ['searches-save.lua · shares.refusal keys.searchesShares'],
  tokens: ['token-create.lua · shares.refusal keys.accessShares'],
  notes: ['group-describe.lua · shares.refusal keys.groupsShares'],
  queues: ['share-take.lua · shares.refusal keys.queuesShares'],
  silences: ['alerts-change.lua · shares.refusal keys.alertsShares'],
  streams: ['live-hub.ts · this.clients size >= STREAMS_MAX'],
  shardings: ['share-take.lua · shares.refusal keys.queuesShares'],
};
export const SHARED_CAPS: readonly SharedCap[] = [
  {
    list: 'ended operations that no user can undo',
    cap: 'about 500',
    share: 'as many as others leave; the user with most loses first',
    atCap: 'the oldest of the user with most is deleted',
    freed: 'by itself',
    test: 'lib/broker/operations/store/operation-retention.redis.test.ts › keeps what others can undo, and their latest, however many one user starts',
    sites: ['operation-retention.ts · keepFairly free', 'operation-retention.ts · zcard index'],
  },
  {
    list: 'deploy marks',
    cap: 'about 1,000; a chart has 100 marks',
    share: 'as many as others leave; the user with most loses first, and so does the kind of mark',
    atCap: 'the oldest of the user with most is deleted',
    freed: 'by itself',
    test: 'lib/broker/history/read-history.redis.test.ts › keeps the deploys of everybody else when one user marks a thousand',
    sites: [
      'deploy-marks.ts · keepFairly all',
      'deploy-marks.ts · keepFairly concerned',
      'read-marks.ts · keepFairly marks',
      'authorized-history.ts · keepFairly inOrder',
      'mark-add.lua · XADD keys.queuesMarks',
      'deploy-marks.ts · xdel ctx.keys.global',
    ],
  },
  {
    list: 'failure groups of one queue',
    cap: '2,000',
    share: '500 that failures of one tenant make; 1,500 with those of jobs without a tenant',
    atCap:
      'a new one counts with all of its tenant, type, class and code; in a full queue with all of its type, class and code',
    freed: 'groups without jobs go after a while',
    test: 'lib/broker/search/groups/failure-group-rows.redis.test.ts › lets one tenant make a quarter of its groups; what others die of has groups of its own',
    sites: [
      'failure_groups.lua · total group_owners.GROUPS_MAX',
      'failure_groups.lua · groups_most group_owners.TENANT_MAX',
      'group_owners.lua · total GROUPS_MAX',
      'group_owners.lua · total TENANT_MAX',
    ],
  },
  {
    list: 'audit log',
    cap: '200,000 entries',
    share: '2,500 entries of changes an hour of one user; administrators have no limit',
    atCap: 'changes of the user: 429 RATE_LIMITED; of the log the oldest are deleted',
    freed: 'an hour later',
    test: 'app/api/v1/audit/change-quota.route.test.ts › for a whole day, with everything they are refused, leaves a third of the log to others',
    sites: ['audit-append.lua · XTRIM keys.auditEntries'],
  },
  {
    list: 'changes of one queue',
    cap: '1,000 to 1,200: up to 300 of settings and sharding, others the rest',
    share: 'as many as others leave; of both kinds the users with most lose first',
    atCap: 'the oldest of the users with most are deleted; the audit log has them still',
    freed: 'by itself',
    test: 'testing/model/queue-changes.redis.test.ts › keeps and shows a change of settings, and what others did, whatever one user does 2,600 times',
    sites: ['change_log.lua · XLEN keys.changes', 'change_shares.lua · XDEL key'],
  },
  {
    list: 'previews of operations',
    cap: '100 of one user',
    share: 'each user has 100',
    atCap: 'the oldest of the same user is deleted',
    freed: 'after 15 minutes, or when it is confirmed',
    test: 'testing/security/greedy-user.route.test.ts › previews: each user has a hundred',
    sites: ['preview-list.lua · #tokens ARGV[4]'],
  },
  {
    list: 'sessions',
    cap: '5,000; 50 of one user',
    share: 'each user has 50',
    atCap: 'the oldest of the same user ends; beyond 5,000 the session that ends soonest',
    freed: 'by signing out, or when it expires',
    test: 'testing/security/greedy-user.route.test.ts › sessions: each user has fifty',
    sites: ['session-begin.lua · #mine ARGV[15]', 'session-begin.lua · ZCARD keys.accessSessionEnds'],
  },
  {
    list: 'large reads (searches, counts, files) of one console',
    cap: '8 at once; 600 wait',
    share: '3 at once and 30 that wait; users take turns',
    atCap: '429 RATE_LIMITED, with how long to wait',
    freed: 'as reads end',
    test: 'lib/server/routes/large-reads.test.ts › runs a few of a user at a time, however many they ask for, and others at once',
    sites: ['large-reads.ts · theirs >= limits.waitingEach'],
  },
  {
    list: 'connections to one console',
    cap: '2,000',
    share: '600 of one network',
    atCap: 'the connection is closed',
    freed: 'as connections end',
    test: 'lib/server/http/front/front-server.test.ts › one machine cannot take all connections, and those that say nothing are cut',
    sites: ['front-server.ts · count >= CONNECTIONS_PER_NETWORK_MAX'],
  },
  {
    list: 'responses that are written while their data is found (searches, files)',
    cap: 'a few in a console, fewer of one user',
    share: 'half of them; administrators have one more',
    atCap: '429 TOO_MANY_STREAMS',
    freed: 'when it is read to its end, or its client closes',
    test: 'lib/server/http/response-streams.test.ts › leaves some for others: one person takes so many and no more',
    sites: ['response-streams.ts · this.open size >= most'],
  },
];

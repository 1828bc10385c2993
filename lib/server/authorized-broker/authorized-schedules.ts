/** Schedules. A schedule is visible to principals who may see its queue and tenant. */
import type { z } from 'zod';
import type { Broker } from '@/lib/broker';
import * as schedules from '@/lib/broker/schedules';
import { isFullScope, type Permission, scopeHasJob } from '@/lib/contract/access/grant-scopes';
import { noSuchSchedule } from '@/lib/contract/not-found-errors';
import { isCoveredBy, redactText } from '@/lib/contract/redaction';
import type { schedulesQuerySchema } from '@/lib/contract/request-schemas';
import type {
  Schedule,
  ScheduleDetail,
  SchedulePatch,
  SchedulePreview,
  SchedulePreviewRequest,
  ScheduleSummary,
  SchedulesPage,
  scheduleRequestSchema,
} from '@/lib/contract/schedules/schedule-schemas';
import type { MissingHandler } from '@/lib/contract/workers/handler-table';
import { missingInReleases } from '@/lib/contract/workers/release-coverage';
import { scopeOf } from '../authentication/principal';
import { scheduleOwnerRefusals } from '../authorization/operation-still-authorized';
import { requirePermission, requireTenant } from '../authorization/require-permission';
import { getBroker } from '../console-broker';
import { type RequestContext, requestActor } from './request-context';

/** Payloads are redacted here, too, also in the response to a change. */
const shown = (schedule: Schedule): Promise<Schedule> => schedules.shownSchedule(getBroker(), schedule);

type Listed = Awaited<ReturnType<Broker['schedules']['listed']>>;
type ListedSchedule = Listed['listed'][number];
type ScheduledWork = Pick<Schedule, 'queue'> & { job: Pick<Schedule['job'], 'jobType' | 'jobVersion'> };
type Reason = { reason?: string | undefined };
/** Schedules read at a time for a principal with a limited scope. */
const PAGE_SIZE = 500;

export function authorizedSchedules(context: RequestContext) {
  const { principal } = context;
  const sees = ({ queue, job }: Pick<ScheduleSummary, 'queue'> & { job: { tenantId: string } }): boolean =>
    scopeHasJob(scopeOf(principal, 'view'), queue, job.tenantId);
  const requireOne = (permission: Permission, schedule: Schedule): void => {
    if (!sees(schedule)) throw noSuchSchedule(schedule.id);
    requireTenant(principal, permission, schedule.queue, schedule.job.tenantId);
  };
  /** For a schedule, and for what a change would make of it. */
  const may =
    (permission: Permission): schedules.CheckSchedule =>
    async (before, after) => {
      requireOne(permission, before);
      const tenant = after.job.tenantId;
      if (after.queue !== before.queue || tenant !== before.job.tenantId)
        requireTenant(principal, permission, after.queue, tenant);
      if (after.queue !== before.queue) await requireUnmaskToMove(before, after.queue);
    };

  /** The other queue's redaction rules might show hidden values of the payload. */
  const requireUnmaskToMove = async ({ queue, job }: Schedule, to: string): Promise<void> => {
    const { inspect } = getBroker();
    const [before, after] = [await inspect.redaction(queue), await inspect.redaction(to)];
    if (redactText(job.payload, before).hidden > 0 && !isCoveredBy(before, after))
      requireTenant(principal, 'unmask', queue, job.tenantId);
  };

  /** With their last runs. Lost permissions of owners are shown to administrators only. */
  const described = async ({ listed, ...page }: Listed): Promise<Omit<SchedulesPage, 'at'>> => {
    const isAdmin = isFullScope(scopeOf(principal, 'access'));
    const refusalOf = scheduleOwnerRefusals();
    const missingHandlerOf = await missingHandlers();
    const runs = await getBroker().schedules.recentRuns(listed.map(({ summary }) => summary));
    const schedules = listed.map(async ({ summary, rights }, i) => {
      const where = { queue: summary.queue, tenant: summary.job.tenantId };
      const makerRefusal = isAdmin ? await refusalOf(rights, where) : null;
      const missingHandler = missingHandlerOf(summary);
      return { ...summary, makerRefusal, missingHandler, recentRuns: runs[i] ?? [] };
    });
    return { schedules: await Promise.all(schedules), ...page };
  };

  return {
    async list({ limit, cursor, q = '' }: z.output<typeof schedulesQuerySchema>): Promise<SchedulesPage> {
      requirePermission(principal, 'view');
      const broker = getBroker();
      const at = await broker.now();
      const page = isFullScope(scopeOf(principal, 'view'))
        ? await broker.schedules.listed(limit, cursor, q)
        : pageOf(
            (await all()).filter(
              ({ summary }) => sees(summary) && summary.id.toLowerCase().includes(q.toLowerCase()),
            ),
            limit,
            cursor,
          );
      return { at, ...(await described(page)) };
    },
    async get(id: string): Promise<ScheduleDetail> {
      requirePermission(principal, 'view');
      const { schedule } = await getBroker().schedules.get(id);
      requireOne('view', schedule);
      const runs = await getBroker().schedules.runsOf(schedule);
      const missingHandler = (await missingHandlers())(schedule);
      return { ...(await shown(schedule)), missingHandler, runs };
    },
    async create(input: z.output<typeof scheduleRequestSchema>): Promise<Schedule> {
      requireTenant(principal, 'operate', input.queue, input.job.tenantId);
      return shown(
        await schedules.createSchedule(getBroker(), input, requestActor(context), (one) => sees(one)),
      );
    },
    async change(id: string, patch: SchedulePatch): Promise<Schedule> {
      requirePermission(principal, 'operate');
      return shown(
        await schedules.changeSchedule(getBroker(), id, patch, requestActor(context), may('operate')),
      );
    },
    async pause(id: string, body: Reason): Promise<Schedule> {
      requirePermission(principal, 'operate');
      return shown(
        await schedules.pauseSchedule(getBroker(), id, requestActor(context, body), may('operate')),
      );
    },
    async resume(id: string, body: Reason): Promise<Schedule> {
      requirePermission(principal, 'operate');
      return shown(
        await schedules.resumeSchedule(getBroker(), id, requestActor(context, body), may('operate')),
      );
    },
    run(id: string, body: Reason) {
      requirePermission(principal, 'enqueue');
      return schedules.runSchedule(getBroker(), id, requestActor(context, body), may('enqueue'));
    },
    async remove(id: string, body: Reason): Promise<{ id: string; deleted: true }> {
      requirePermission(principal, 'destroy');
      await schedules.deleteSchedule(getBroker(), id, requestActor(context, body), may('destroy'));
      return { id, deleted: true };
    },
    async preview(input: SchedulePreviewRequest): Promise<SchedulePreview> {
      requirePermission(principal, 'view');
      return schedules.previewSchedule(input, await getBroker().now());
    },
  };
}

/** What live workers lack for the jobs of a schedule, from one reading for all schedules. */
async function missingHandlers() {
  const known = await getBroker().workers.releases();
  return ({ queue, job: { jobType, jobVersion } }: ScheduledWork): MissingHandler | null =>
    missingInReleases(known, { queue, jobType, jobVersion });
}

async function all(): Promise<ListedSchedule[]> {
  const found: ListedSchedule[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await getBroker().schedules.listed(PAGE_SIZE, cursor);
    found.push(...page.listed);
    if (page.nextCursor === null) return found;
    cursor = page.nextCursor;
  }
}

function pageOf(visible: readonly ListedSchedule[], limit: number, cursor = ''): Listed {
  const rest = visible.filter(({ summary }) => summary.id > cursor);
  const page = rest.slice(0, limit);
  return {
    listed: page,
    nextCursor: rest.length > page.length ? (page.at(-1)?.summary.id ?? null) : null,
    total: visible.length,
  };
}

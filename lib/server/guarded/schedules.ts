/** Schedules. Each is its queue's and tenant's: who may not see these, sees no schedule. */
import type { z } from 'zod';
import type { Broker } from '@/lib/broker';
import type { pageQuerySchema } from '@/lib/contract/api';
import { hasJob, isEverywhere, type Permission } from '@/lib/contract/permissions';
import { isCoveredBy, redactText } from '@/lib/contract/redaction';
import type {
  Schedule,
  SchedulePatch,
  SchedulePreview,
  SchedulePreviewRequest,
  ScheduleSummary,
  SchedulesPage,
  scheduleRequestSchema,
} from '@/lib/contract/schedules';
import * as schedules from '@/lib/schedules';
import { makerRefusals } from '../access/may-go-on';
import { need, needTenant } from '../access/need';
import { withinOf } from '../access/principal';
import { getBroker } from '../broker';
import { noSuchSchedule } from '../missing';
import { actor, type Caller } from './caller';

/** What is hidden in payloads is hidden here, too: who changes one gets back what they may see of it. */
const shown = (schedule: Schedule): Promise<Schedule> => schedules.shownSchedule(getBroker(), schedule);

type Listed = Awaited<ReturnType<Broker['schedules']['listed']>>;
type ListedSchedule = Listed['listed'][number];
type Reason = { reason?: string | undefined };
/** Read at a time, for those who do not see all of them. */
const READ_AT_ONCE = 500;

export function guardedSchedules(caller: Caller) {
  const { principal } = caller;
  const sees = ({ queue, job }: Pick<ScheduleSummary, 'queue'> & { job: { tenantId: string } }): boolean =>
    hasJob(withinOf(principal, 'view'), queue, job.tenantId);
  const needOne = (permission: Permission, schedule: Schedule): void => {
    if (!sees(schedule)) throw noSuchSchedule(schedule.id);
    needTenant(principal, permission, schedule.queue, schedule.job.tenantId);
  };
  /**
   * A broker that looks at each schedule as it is read, and at what a change would make of it: what is saved is compared with that very
   * reading, so nobody changes a schedule that was moved out of their sight meanwhile.
   */
  const watched = (permission: Permission, patch: SchedulePatch = {}): schedules.SchedulesBroker => {
    const broker = getBroker();
    const find: typeof broker.schedules.find = async (id) => {
      const stored = await broker.schedules.find(id);
      // Whoever may not see what took the id is told that it is taken, whatever they sent before.
      return stored && !sees(stored.schedule) ? { ...stored, requestId: null } : stored;
    };
    const get: typeof broker.schedules.get = async (id) => {
      const stored = await broker.schedules.get(id);
      needOne(permission, stored.schedule);
      const { queue, job } = { ...stored.schedule, ...patch };
      if (patch.queue !== undefined || patch.job !== undefined)
        needTenant(principal, permission, queue ?? stored.schedule.queue, job?.tenantId ?? 'default');
      if (queue !== stored.schedule.queue) await needUnmaskToShow(stored.schedule, queue);
      return stored;
    };
    return { ...broker, schedules: { ...broker.schedules, find, get } };
  };

  /** In the other queue its payload would be shown by the rules there. */
  const needUnmaskToShow = async ({ queue, job }: Schedule, to: string): Promise<void> => {
    const { inspect } = getBroker();
    const [before, after] = [await inspect.redaction(queue), await inspect.redaction(to)];
    if (redactText(job.payload, before).hidden > 0 && !isCoveredBy(before, after))
      needTenant(principal, 'unmask', queue, job.tenantId);
  };

  /** What somebody may not do any more is for those who look after it. */
  const withRefusals = async ({ listed, ...page }: Listed): Promise<Omit<SchedulesPage, 'at'>> => {
    const isTold = isEverywhere(withinOf(principal, 'access'));
    const refusalOf = makerRefusals();
    const schedules = listed.map(async ({ summary, rights }) => {
      const where = { queue: summary.queue, tenant: summary.job.tenantId };
      return { ...summary, makerRefusal: isTold ? await refusalOf(rights, where) : null };
    });
    return { schedules: await Promise.all(schedules), ...page };
  };

  return {
    async list({ limit, cursor }: z.output<typeof pageQuerySchema>): Promise<SchedulesPage> {
      need(principal, 'view');
      const broker = getBroker();
      const at = await broker.now();
      const page = isEverywhere(withinOf(principal, 'view'))
        ? await broker.schedules.listed(limit, cursor)
        : pageOf(
            (await all()).filter(({ summary }) => sees(summary)),
            limit,
            cursor,
          );
      return { at, ...(await withRefusals(page)) };
    },
    async get(id: string): Promise<Schedule> {
      need(principal, 'view');
      return shown((await watched('view').schedules.get(id)).schedule);
    },
    async create(input: z.output<typeof scheduleRequestSchema>): Promise<Schedule> {
      needTenant(principal, 'operate', input.queue, input.job.tenantId);
      return shown(await schedules.createSchedule(watched('operate'), input, actor(caller)));
    },
    async change(id: string, patch: SchedulePatch): Promise<Schedule> {
      need(principal, 'operate');
      return shown(await schedules.changeSchedule(watched('operate', patch), id, patch, actor(caller)));
    },
    async pause(id: string, body: Reason): Promise<Schedule> {
      need(principal, 'operate');
      return shown(await schedules.pauseSchedule(watched('operate'), id, actor(caller, body)));
    },
    async resume(id: string, body: Reason): Promise<Schedule> {
      need(principal, 'operate');
      return shown(await schedules.resumeSchedule(watched('operate'), id, actor(caller, body)));
    },
    run(id: string, body: Reason) {
      need(principal, 'enqueue');
      return schedules.runSchedule(watched('enqueue'), id, actor(caller, body));
    },
    async remove(id: string, body: Reason): Promise<{ id: string; deleted: true }> {
      need(principal, 'destroy');
      await schedules.deleteSchedule(watched('destroy'), id, actor(caller, body));
      return { id, deleted: true };
    },
    async preview(input: SchedulePreviewRequest): Promise<SchedulePreview> {
      need(principal, 'view');
      return schedules.previewSchedule(input, await getBroker().now());
    },
  };
}

/** Some thousand are kept. */
async function all(): Promise<ListedSchedule[]> {
  const found: ListedSchedule[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await getBroker().schedules.listed(READ_AT_ONCE, cursor);
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

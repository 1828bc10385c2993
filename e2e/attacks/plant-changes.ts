/** Fills what users and consoles write about a queue with such texts: alerts, settings, operations and sessions. */
import { type APIRequestContext, expect } from '@playwright/test';
import { z } from 'zod';
import { sessionsPageSchema } from '../../lib/contract/access/access-schemas';
import type { Alert } from '../../lib/contract/alerts/alert-schemas';
import { paths } from '../../lib/contract/api-paths';
import type { Broker } from '../../testing/create-broker';
import { startOperation } from '../api-requests';
import { BOB } from '../user-pages';
import { attackOf, attackWithoutSpaces, hostileLine, unrulyLine, unrulyText } from './attacks';

const createdSchema = z.object({ id: z.string() });
const tokenSchema = z.object({ view: createdSchema });

/** Writes through the HTTP API, which must accept all of it. */
export const writerOf =
  (request: APIRequestContext) =>
  async (path: string, data: object, method: 'POST' | 'PATCH' | 'DELETE' = 'POST'): Promise<unknown> => {
    const answer = await request.fetch(path, { method, data });
    expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true);
    return answer.json();
  };
type Write = ReturnType<typeof writerOf>;

/** One step of a path into a payload, RFC 6901. */
const stepOf = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** An alert that fires and is acknowledged, one that has ended, and a silence. The console ends the first after a minute. */
export async function plantAlerts(
  broker: Broker,
  write: Write,
  queue: string,
): Promise<{ paths: string[]; dialog: string }> {
  const finding = {
    code: 'X'.padEnd(40, 'W'),
    level: 'bad' as const,
    sentence: hostileLine(1_000, 22),
    queues: { total: 1, named: [queue] },
    evidence: { page: 'queue' as const, queue },
  };
  const rules = { forMs: () => 0, resolveAfterMs: 60_000 };
  // Again where the console has looked at the same moment.
  await expect
    .poll(async () => {
      const { now: at } = await broker.alerts.read();
      return (await broker.alerts.look({ at, findings: [finding], isComplete: false }, rules, [])).advanced;
    })
    .toBe(true);
  const { live, now: at } = await broker.alerts.read();
  const firing = live.find(({ code }) => code === finding.code);
  if (!firing) throw new Error('there should be an alert');
  await write(paths.alertAcknowledge(firing.id), { note: hostileLine(300, 23) });
  const ended: Alert = {
    ...finding,
    id: `ended-${firing.id}`,
    state: 'firing',
    seenAt: at - 120_000,
    firedAt: at - 60_000,
    endedAt: null,
    acknowledged: { at, actor: hostileLine(60, 24), note: hostileLine(300, 25) },
    silencedBy: null,
  };
  // Beside the one that stands under another id it is over at once.
  await broker.alerts.handOver(ended, [], at);
  const silence = createdSchema.parse(
    await write(paths.alertSilences(), { queue, reason: hostileLine(300, 26), forMs: 600_000 }),
  );
  return {
    paths: ['/alerts', '/alerts?tab=ended', '/alerts?tab=channels'],
    dialog: `/alerts?dialog=unsilence&of=${silence.id}`,
  };
}

/**
 * Edits and re-drives a dead job of a paused queue, undoes it, changes the queue's settings, and rejects a purge that needs approval.
 * @returns the pages of its operations
 */
export async function plantOperations(
  request: APIRequestContext,
  write: Write,
  job: { queue: string; jobId: string; jobType: string; tenantId: string },
): Promise<string[]> {
  const { queue, jobId, jobType, tenantId } = job;
  const scope = { jobs: [{ queue, jobId }] };
  const hasCompleted = (id: string) =>
    expect
      .poll(async () => (await (await request.get(paths.operation(id))).json()).status, { timeout: 60_000 })
      .toBe('completed');
  const edit = await startOperation(
    request,
    {
      kind: 'edit',
      scope,
      includeUnsafe: true,
      patch: [
        { op: 'test', path: '/nested/text', value: attackOf(4_000) },
        { op: 'add', path: stepOf(attackOf(400, 27)), value: attackOf(2_000, 28) },
        { op: 'replace', path: '/unruly', value: unrulyText(2_000) },
        { op: 'add', path: stepOf(unrulyLine(400)), value: { [hostileLine(200, 29)]: hostileLine(200, 30) } },
        { op: 'remove', path: '/word' },
      ],
    },
    { reason: hostileLine(300, 31) },
  );
  await hasCompleted(edit.id);
  const undo = createdSchema.parse(
    await write(paths.operationAction(edit.id, 'undo'), { reason: hostileLine(300, 32) }),
  );
  await hasCompleted(undo.id);
  await write(
    paths.config(queue),
    {
      reason: hostileLine(300, 33),
      redact: [
        // Names have neither spaces nor quotes.
        attackWithoutSpaces(200, 34).replace(/[/*\\"]/g, ''),
        unrulyLine(200).replace(/\s/g, ''),
        stepOf(attackOf(180, 36)).slice(0, 200),
        stepOf(unrulyLine(180)),
        stepOf(hostileLine(100, 37)),
      ],
      retryByType: { [jobType]: { maxAttempts: 1 } },
      tenantLimits: { [tenantId]: { concurrency: 1 } },
      purgeNeedsApproval: true,
    },
    'PATCH',
  );
  const purge = await startOperation(request, { kind: 'purge', scope }, { reason: hostileLine(300, 38) });
  expect(purge.status).toBe('awaiting-approval');
  await write(paths.operationAction(purge.id, 'reject'), { reason: hostileLine(300, 39) });
  return [edit.id, undo.id, purge.id].map((id) => `/operations/${id}`);
}

/** A session of a browser with such a name, and a token that was revoked. @returns the address that opens the session's dialog */
export async function plantAccess(request: APIRequestContext, write: Write, queue: string): Promise<string> {
  const agent = attackOf(190, 16);
  // Without the test's own cookies: this sign-in must not replace the session of the others.
  const answer = await fetch(`${process.env.REDRIVE_E2E_URL}${paths.session()}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': agent },
    body: JSON.stringify({ name: BOB.name, password: BOB.password }),
  });
  expect(answer.status).toBe(200);
  const all = await request.get(paths.sessions(), { params: { all: '1' } });
  const { sessions } = sessionsPageSchema.parse(await all.json());
  const session = sessions.find((one) => one.agent === agent);
  if (!session) throw new Error('there should be a session');
  const { view } = tokenSchema.parse(
    await write(paths.tokens(), {
      name: hostileLine(60, 41),
      grants: [{ role: 'viewer', queues: [queue] }],
      expiresInDays: 1,
    }),
  );
  await write(paths.accessToken(view.id), { reason: hostileLine(300, 42) }, 'DELETE');
  return `/access?tab=sessions&all=true&dialog=end-session&of=${session.id}`;
}

/** The audit log straight from Redis (REDIS_URL), or from an exported file: verify, export, head. */
import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { type Broker, openBroker, verifyFile } from '@/lib/broker';
import { redisSetting } from '@/lib/broker/redis/connection/redis-setting';
import type { AuditCheck } from '@/lib/contract/audit/audit-schemas';
import { revealHidden } from '@/lib/format/display-text';
import { CommandError, EXIT } from './terminal/exit-codes';
import type { Terminal } from './terminal/terminal';

/** Of REDRIVE_AUDIT_KEY_FILE or REDRIVE_AUDIT_KEY; none: the log is not keyed. */
function keysFrom(env: Terminal['env']): string[] {
  const file = env.REDRIVE_AUDIT_KEY_FILE;
  const text = file ? readFileSync(file, 'utf8') : (env.REDRIVE_AUDIT_KEY ?? '');
  return text.split(/\s+/).filter(Boolean);
}

async function withBroker<T>({ env }: Terminal, use: (broker: Broker) => Promise<T>): Promise<T> {
  const redis = redisSetting(env);
  if ('problem' in redis) throw new CommandError(`${redis.problem}.`, EXIT.usage);
  const broker = openBroker({
    ...redis,
    prefix: env.REDRIVE_PREFIX || 'rd',
    allowEviction: env.REDRIVE_ALLOW_EVICTION === 'yes',
  });
  try {
    return await use(broker);
  } finally {
    broker.close();
  }
}

interface Verdict
  extends Pick<AuditCheck, 'ok' | 'checked' | 'first' | 'last' | 'head' | 'keyed' | 'problems'> {
  readonly notes?: readonly string[];
}

/** Nothing of the log reaches the terminal as it is: what somebody wrote into it must not act on the terminal of a reader. */
function say({ out }: Terminal, verdict: Verdict, what: string): void {
  for (const { sentence } of verdict.problems) out(revealHidden(sentence));
  for (const note of verdict.notes ?? []) out(revealHidden(note));
  const range = verdict.first === null ? '' : ` (${verdict.first} to ${verdict.last})`;
  const keyed = verdict.keyed ? 'keyed' : 'not keyed';
  const entries = `${verdict.checked} entries${range}`;
  if (verdict.ok)
    out(`${what} holds: ${entries} checked, ${keyed}. Newest hash: ${revealHidden(verdict.head)}`);
  else
    throw new CommandError(
      `${what} does not hold: ${verdict.problems.length} problems in ${entries}, ${keyed}.`,
      EXIT.notWell,
    );
}

/** @param file an exported log, checked without Redis. @throws CommandError when something does not hold */
export async function verifyAuditLog(terminal: Terminal, file: string | undefined): Promise<void> {
  const keys = keysFrom(terminal.env);
  if (file === undefined)
    return withBroker(terminal, async (broker) =>
      say(terminal, await broker.audit.check({ keys }), 'The audit log'),
    );
  const lines = createInterface({
    input: createReadStream(file, 'utf8'),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  say(terminal, await verifyFile(keys, lines), file);
}

/** All entries as lines of JSON, to the letter. */
export async function exportAuditLog(terminal: Terminal): Promise<void> {
  await withBroker(terminal, async (broker) => {
    const head = await broker.audit.head();
    const write = (value: object | string) =>
      terminal.write(`${typeof value === 'string' ? value : JSON.stringify(value)}\n`);
    await write({
      redriveAudit: 1,
      at: await broker.now(),
      whole: true,
      filter: {},
      base: head.base,
      head: { n: head.n, hash: head.hash },
    });
    let entries = 0;
    for await (const { text } of broker.audit.stored(head.base.n + 1, head.n)) {
      entries += 1;
      await write(text);
    }
    await write({ end: true, entries });
  });
}

/** Number and hash of the newest entry: worth writing down elsewhere. */
export async function showAuditHead(terminal: Terminal): Promise<void> {
  await withBroker(terminal, async (broker) => {
    const { n, hash, key } = await broker.audit.head();
    terminal.out(`${n} ${revealHidden(hash)}${key === '' ? '' : ` key ${revealHidden(key)}`}`);
  });
}

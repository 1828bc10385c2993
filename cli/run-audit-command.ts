/**
 * The audit log from the command line.
 *
 *   npm run audit -- verify                     checks the whole log; ends with 1 when something does not hold
 *   npm run audit -- verify --file log.ndjson   the same with an exported file, without Redis
 *   npm run audit -- export > log.ndjson        all entries, to the letter
 *   npm run audit -- head                       number and hash of the newest entry: worth writing down elsewhere
 *
 * It needs REDIS_URL (but for --file), and REDRIVE_AUDIT_KEY or REDRIVE_AUDIT_KEY_FILE where the log is keyed.
 */
import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { type Broker, createBroker, verifyFile } from '@/lib/broker';
import type { AuditCheck } from '@/lib/contract/audit/audit-schemas';
import { revealHidden } from '@/lib/format/display-text';

const USAGE = 'npm run audit -- verify [--file log.ndjson] | export | head';

function keysFrom(env: NodeJS.ProcessEnv): string[] {
  const file = env.REDRIVE_AUDIT_KEY_FILE;
  const text = file ? readFileSync(file, 'utf8') : (env.REDRIVE_AUDIT_KEY ?? '');
  return text.split(/\s+/).filter(Boolean);
}

async function withBroker<T>(use: (broker: Broker) => Promise<T>): Promise<T> {
  const url = process.env.REDIS_URL;
  if (!url)
    throw new Error(
      'REDIS_URL is missing: set it to the Redis that holds the log, such as redis://127.0.0.1:6379.',
    );
  const broker = createBroker({
    url,
    prefix: process.env.REDRIVE_PREFIX || 'rd',
    allowEviction: process.env.REDRIVE_ALLOW_EVICTION === 'yes',
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
function say(verdict: Verdict, what: string): number {
  for (const { sentence } of verdict.problems) console.log(revealHidden(sentence));
  for (const note of verdict.notes ?? []) console.log(revealHidden(note));
  const range = verdict.first === null ? '' : ` (${verdict.first} to ${verdict.last})`;
  const keyed = verdict.keyed ? 'keyed' : 'not keyed';
  console.log(
    verdict.ok
      ? `${what} holds: ${verdict.checked} entries${range} checked, ${keyed}. Newest hash: ${revealHidden(verdict.head)}`
      : `${what} does not hold: ${verdict.problems.length} problems in ${verdict.checked} entries${range}, ${keyed}.`,
  );
  return verdict.ok ? 0 : 1;
}

async function verify(file: string | undefined): Promise<number> {
  const keys = keysFrom(process.env);
  if (file !== undefined) {
    const lines = createInterface({
      input: createReadStream(file, 'utf8'),
      crlfDelay: Number.POSITIVE_INFINITY,
    });
    return say(await verifyFile(keys, lines), file);
  }
  return withBroker(async (broker) => say(await broker.audit.check({ keys }), 'The audit log'));
}

async function exportAll(): Promise<number> {
  return withBroker(async (broker) => {
    const head = await broker.audit.head();
    const write = (value: object | string) =>
      process.stdout.write(`${typeof value === 'string' ? value : JSON.stringify(value)}\n`) ||
      new Promise<void>((resolve) => process.stdout.once('drain', () => resolve()));
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
    return 0;
  });
}

async function head(): Promise<number> {
  return withBroker(async (broker) => {
    const { n, hash, key } = await broker.audit.head();
    console.log(`${n} ${revealHidden(hash)}${key === '' ? '' : ` key ${revealHidden(key)}`}`);
    return 0;
  });
}

async function outcomeOf(args: readonly string[]): Promise<number> {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { file: { type: 'string' } },
  });
  const [command, ...rest] = positionals;
  if (rest.length > 0 || (values.file !== undefined && command !== 'verify')) throw new Error(USAGE);
  if (command === 'verify') return verify(values.file);
  if (command === 'export') return exportAll();
  if (command === 'head') return head();
  throw new Error(USAGE);
}

/** @returns the exit code */
export async function runAuditCommand(args: readonly string[]): Promise<number> {
  try {
    return await outcomeOf(args);
  } catch (error) {
    console.error(revealHidden(error instanceof Error ? error.message : String(error)));
    return 2;
  }
}

/** The largest of Redrive's keys on a server and how many are not Redrive's, or of a sample where there are many. */

const LOOKED_AT_MAX = 1_000;
const SCAN_COUNT = 250;
/** Rounds of SCAN: among very many keys of other programs it finds few of ours. */
const ROUNDS_MAX = 20;

export interface KeySample {
  /** How many keys were looked at. */
  readonly looked: number;
  /** Whether these are all of them. */
  readonly isWhole: boolean;
  readonly largest: { readonly name: string; readonly bytes: number } | null;
  /** Keys that do not begin with the prefix, among those looked through. */
  readonly foreign: number;
  /** All keys of the database were looked through. */
  readonly isScanWhole: boolean;
}

type Ask = (command: string, ...args: string[]) => Promise<unknown>;

/** Bounded, without a pattern, and never KEYS. Null: the user may not ask. */
export async function readKeySample(ask: Ask, prefix: string): Promise<KeySample | null> {
  const names = new Set<string>();
  const foreign = new Set<string>();
  let cursor = '0';
  for (let round = 0; round < ROUNDS_MAX && names.size < LOOKED_AT_MAX; round++) {
    const reply = await ask('SCAN', cursor, 'COUNT', String(SCAN_COUNT));
    if (!Array.isArray(reply)) return null;
    cursor = String(reply[0]);
    for (const name of reply[1] as string[]) (name.startsWith(`${prefix}:`) ? names : foreign).add(name);
    if (cursor === '0') break;
  }
  const looked = [...names].slice(0, LOOKED_AT_MAX);
  // A user who may not ask is refused once, and not a thousand times. The others are sent together.
  if (looked[0] !== undefined && (await ask('MEMORY', 'USAGE', looked[0])) === null) return null;
  const sizes = await Promise.all(looked.map((name) => ask('MEMORY', 'USAGE', name)));
  let largest: KeySample['largest'] = null;
  for (const [i, name] of looked.entries()) {
    const bytes = Number(sizes[i] ?? 0);
    if (bytes > (largest?.bytes ?? 0)) largest = { name, bytes };
  }
  const isScanWhole = cursor === '0';
  const isWhole = isScanWhole && looked.length === names.size;
  return { looked: looked.length, isWhole, largest, foreign: foreign.size, isScanWhole };
}

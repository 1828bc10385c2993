/**
 * Checks passwords against argon2id hashes, two at a time: each takes 19 MiB and tens of milliseconds of a core by design. An unknown name
 * is checked against a hash that nothing fits, so neither the answer nor its time reveals which names exist.
 */
import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { PASSWORD_HASH } from '@/lib/contract/access/access-limits';
import { singleton } from '@/lib/server/singleton';
import { HashConcurrency } from './hash-concurrency';

const AT_ONCE = 2;
const WAITING = 16;
const WAIT_MAX_MS = 5_000;
const CHECK_DEADLINE_MS = 10_000;

const concurrency = singleton(
  'password-checks',
  () => new HashConcurrency({ most: AT_ONCE, waiting: WAITING, waitMaxMs: WAIT_MAX_MS, retryAfterMs: 3_000 }),
);

/** Keyboards compose letters differently; this form is always the same. */
export const normalPassword = (password: string): string => password.normalize('NFC');

/**
 * @param hash of the user; null: no user has that name
 * @param known hashes of all users: an unknown name costs as much as the most expensive of them
 * @param networks of the request, the widest first: turns are shared among them
 * @throws RedriveError TOO_MANY_ATTEMPTS when others go first: then the password was not checked
 */
export async function passwordFits(
  password: string,
  hash: string | null,
  known: readonly string[],
  networks: readonly string[],
): Promise<boolean> {
  const fits = await concurrency().run(networks, () =>
    verify(
      hash ?? unfittingHash(known),
      normalPassword(password),
      null,
      AbortSignal.timeout(CHECK_DEADLINE_MS),
    ),
  );
  return fits && hash !== null;
}

/** As expensive as a check, so it counts as one. @throws RedriveError TOO_MANY_ATTEMPTS */
export const hashPassword = (password: string, networks: readonly string[]): Promise<string> =>
  concurrency().run(networks, () =>
    hash(normalPassword(password), PASSWORD_HASH, AbortSignal.timeout(CHECK_DEADLINE_MS)),
  );

const COSTS = /^\$argon2id\$v=19\$(m=(\d+),t=(\d+),p=\d+)\$/;
const STANDARD = `m=${PASSWORD_HASH.memoryCost},t=${PASSWORD_HASH.timeCost},p=${PASSWORD_HASH.parallelism}`;
const base64 = (bytes: number): string => randomBytes(bytes).toString('base64').replaceAll('=', '');
const [SALT, DIGEST] = [base64(16), base64(PASSWORD_HASH.outputLen)];

/** A hash of random bytes: no password fits it, and the check costs the same. */
export function unfittingHash(known: readonly string[]): string {
  let costs = STANDARD;
  let most = 0;
  for (const hash of known) {
    const [, text = '', memory = '', passes = ''] = COSTS.exec(hash) ?? [];
    if (Number(memory) * Number(passes) <= most) continue;
    most = Number(memory) * Number(passes);
    costs = text;
  }
  return `$argon2id$v=19$${costs}$${SALT}$${DIGEST}`;
}

/**
 * Checks passwords against argon2id hashes. Each check takes 19 MiB and tens of milliseconds of a core by design, so only two run at once. Who is
 * not known is checked as well, against a hash that nothing fits: neither the answer nor its time tells whether a name exists.
 */
import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { PASSWORD_HASH } from '@/lib/contract/access';
import { singleton } from '../singleton';
import { Slots } from './slots';

const AT_ONCE = 2;
const WAITING = 16;
/** A check takes some tens of milliseconds, so who waits that long has given way to many others. */
const WAIT_MAX_MS = 5_000;
const CHECK_DEADLINE_MS = 10_000;

const slots = singleton(
  'password-checks',
  () => new Slots({ most: AT_ONCE, waiting: WAITING, waitMaxMs: WAIT_MAX_MS, retryAfterMs: 3_000 }),
);

/** The same password, however a keyboard composes its letters. */
export const normalPassword = (password: string): string => password.normalize('NFC');

/**
 * @param hash of the user; null: there is none of that name
 * @param known hashes of all users: the check of an unknown name costs what the dearest of theirs does
 * @param networks of who asks, the widest first: turns are shared among them
 * @throws RedriveError TOO_MANY_ATTEMPTS when others go first: then the password was not looked at
 */
export async function passwordFits(
  password: string,
  hash: string | null,
  known: readonly string[],
  networks: readonly string[],
): Promise<boolean> {
  const fits = await slots().run(networks, () =>
    verify(
      hash ?? unfittingHash(known),
      normalPassword(password),
      null,
      AbortSignal.timeout(CHECK_DEADLINE_MS),
    ),
  );
  return fits && hash !== null;
}

/** As costly as a check, so it takes a place among them. @throws RedriveError TOO_MANY_ATTEMPTS */
export const hashPassword = (password: string, networks: readonly string[]): Promise<string> =>
  slots().run(networks, () =>
    hash(normalPassword(password), PASSWORD_HASH, AbortSignal.timeout(CHECK_DEADLINE_MS)),
  );

const COSTS = /^\$argon2id\$v=19\$(m=(\d+),t=(\d+),p=\d+)\$/;
const STANDARD = `m=${PASSWORD_HASH.memoryCost},t=${PASSWORD_HASH.timeCost},p=${PASSWORD_HASH.parallelism}`;
const base64 = (bytes: number): string => randomBytes(bytes).toString('base64').replaceAll('=', '');
const [SALT, DIGEST] = [base64(16), base64(PASSWORD_HASH.outputLen)];

/** Made of random bytes: no password is known that leads to it, and checking one costs the same. */
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

/**
 * The one-time sign-in link: whoever reads the output of the console's process owns the machine, and gets in without a password. The code
 * stands behind a #, so no browser sends it in a request line and no server logs it.
 */
import { RedriveError } from '@/lib/contract/errors';
import { PERSON_DEFAULT } from '@/lib/contract/person';
import { getBroker } from '../broker';
import { log } from '../log';
import { singleton } from '../singleton';
import { addressOf } from './address';
import { takeLink } from './attempts';
import { beginSession, noteRefusal, type Visit } from './begin';
import { digestOf, newSecret } from './cookies';
import { hasWay, ownOrigin } from './ways';

const CODE_TTL_MS = 3_600_000;
/** A link that nobody used stays good while its console runs, and dies with it within the hour. */
const RENEW_MS = CODE_TTL_MS / 2;
const RETRY_MS = 1_000;

const THIS_MACHINE = { id: 'link', name: PERSON_DEFAULT, way: 'link' } as const;

/** @throws RedriveError SIGN_IN_FAILED | TOO_MANY_ATTEMPTS | REDIS_UNAVAILABLE | UNKNOWN_OUTCOME */
export async function signInByLink(visit: Visit, code: string): ReturnType<typeof beginSession> {
  if (!hasWay('link'))
    throw new RedriveError(
      'SIGN_IN_FAILED',
      'This console has no one-time link. Sign in the way its page offers.',
    );
  const attempt = await takeLink(addressOf(visit.request)).catch(async (error: unknown) => {
    if (error instanceof RedriveError && error.code === 'TOO_MANY_ATTEMPTS')
      await noteRefusal(visit, { code: error.code, who: THIS_MACHINE });
    throw error;
  });
  if (!(await getBroker().access.codes.take(digestOf(code)))) {
    await noteRefusal(visit, { code: 'SIGN_IN_FAILED', who: THIS_MACHINE });
    throw new RedriveError(
      'SIGN_IN_FAILED',
      'This link was used before, or has run out. The console prints a new one where it was started.',
      { fields: [{ field: 'code', message: 'is not good any more' }] },
    );
  }
  await attempt.succeeded();
  // The code is used up, whatever becomes of the session: the next one must be on its way first.
  getLinkPrinter().used();
  return beginSession(visit, { ...THIS_MACHINE, groups: [], stamp: null });
}

/** Keeps one unused link on standard output. */
export class LinkPrinter {
  private timer: NodeJS.Timeout | null = null;
  private digest: string | null = null;
  private ended = false;

  constructor(private readonly print: (line: string) => void) {}

  start(): void {
    this.arm(0);
  }

  /** Here or at another console of this Redis: which link it was does not matter, a new one never hurts. */
  used(): void {
    this.digest = null;
    if (this.timer) this.arm(0);
  }

  stop(): void {
    this.ended = true;
    if (this.timer) clearTimeout(this.timer);
  }

  private arm(ms: number): void {
    if (this.timer) clearTimeout(this.timer);
    if (this.ended) return;
    this.timer = setTimeout(() => {
      // A Redis that is away comes back: until then there is nobody to sign in anyway.
      this.renew().then(
        () => this.arm(RENEW_MS),
        (error: unknown) => {
          log().debug({ err: error }, 'the sign-in link waits for Redis');
          this.arm(RETRY_MS);
        },
      );
    }, ms);
    this.timer.unref();
  }

  private async renew(): Promise<void> {
    const { codes } = getBroker().access;
    // Only a code that is still unused is made to last: one that somebody took must never come back.
    if (this.digest !== null && (await codes.take(this.digest))) return codes.put(this.digest, CODE_TTL_MS);
    const code = newSecret();
    await codes.put(digestOf(code), CODE_TTL_MS);
    this.digest = digestOf(code);
    this.print(`Sign in: ${ownOrigin()}/sign-in#code=${code}`);
  }
}

/** Past the logger: this is for the person at the terminal, and no log may keep it. */
export const getLinkPrinter = singleton(
  'link-printer',
  () => new LinkPrinter((line) => process.stdout.write(`${line}\n`)),
);

/**
 * The one-time sign-in link on the console's output, which only users of the machine can read. The code follows a #, so browsers do not
 * send it in a request line and servers do not log it.
 */

import { USER_NAME_DEFAULT } from '@/lib/contract/access/access-limits';
import { RedriveError } from '@/lib/contract/redrive-error';
import { type BackgroundLoop, startBackgroundLoop } from '@/lib/process/background-loop';
import { getBroker } from '../console-broker';
import { log } from '../console-log';
import { addressOf } from '../http/client-network';
import { singleton } from '../singleton';
import { createSession, recordSignInRefusal, type SignInRequest } from './create-session';
import { digestOf, newSecret } from './session-cookie';
import { takeLinkAttempt } from './sign-in-attempts';
import { hasSignInMethod, ownAddress } from './sign-in-methods';

const CODE_TTL_MS = 3_600_000;
/** An unused link stays valid while its console runs, and expires within the hour after it. */
const RENEW_MS = CODE_TTL_MS / 2;
const RETRY_MS = 1_000;

const THIS_MACHINE = { id: 'link', name: USER_NAME_DEFAULT, method: 'link' } as const;

/** @throws RedriveError SIGN_IN_FAILED | TOO_MANY_ATTEMPTS | REDIS_UNAVAILABLE | UNKNOWN_OUTCOME */
export async function signInByLink(visit: SignInRequest, code: string): ReturnType<typeof createSession> {
  if (!hasSignInMethod('link'))
    throw new RedriveError(
      'SIGN_IN_FAILED',
      'This console has no one-time link. Sign in the method its page offers.',
    );
  const attempt = await takeLinkAttempt(addressOf(visit.request)).catch(async (error: unknown) => {
    if (error instanceof RedriveError && error.code === 'TOO_MANY_ATTEMPTS')
      await recordSignInRefusal(visit, { code: error.code, who: THIS_MACHINE });
    throw error;
  });
  if (!(await getBroker().access.codes.take(digestOf(code)))) {
    await recordSignInRefusal(visit, { code: 'SIGN_IN_FAILED', who: THIS_MACHINE });
    throw new RedriveError(
      'SIGN_IN_FAILED',
      'This link was used before or has expired. The console prints a new one where it was started.',
      { fields: [{ field: 'code', message: 'is not valid' }] },
    );
  }
  await attempt.succeeded();
  // The code is used up, whatever becomes of the session: print the next one first.
  getLinkPrinter().used();
  return createSession(visit, { ...THIS_MACHINE, groups: [], stamp: null });
}

/** Keeps one unused link on standard output. */
export class LinkPrinter {
  private loop: BackgroundLoop | null = null;
  private digest: string | null = null;

  constructor(private readonly print: (line: string) => void) {}

  start(): void {
    this.loop = startBackgroundLoop({
      name: 'printing the sign-in link',
      everyMs: RETRY_MS,
      keepsProcess: false,
      logger: log(),
      run: async () => {
        await this.renew();
        return RENEW_MS;
      },
    });
  }

  /** Here or at another console of this Redis: which link it was does not matter, a new one never hurts. */
  used(): void {
    this.digest = null;
    this.loop?.hasten(0);
  }

  stop(): void {
    void this.loop?.stop();
  }

  private async renew(): Promise<void> {
    const { codes } = getBroker().access;
    // Only an unused code is renewed: a used one must never become valid again.
    if (this.digest !== null && (await codes.take(this.digest))) return codes.put(this.digest, CODE_TTL_MS);
    const code = newSecret();
    await codes.put(digestOf(code), CODE_TTL_MS);
    this.digest = digestOf(code);
    this.print(`Sign in: ${ownAddress()}/sign-in#code=${code}`);
  }
}

/** Not through the logger: it is for the terminal, and no log may keep it. */
export const getLinkPrinter = singleton(
  'link-printer',
  () => new LinkPrinter((line) => process.stdout.write(`${line}\n`)),
);

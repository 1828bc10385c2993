/** Whether the console can do its work. Probes have no session: they are told yes or no; those who see everything are told why. */
import { RedriveError } from '@/lib/contract/errors';
import { isEverywhere } from '@/lib/contract/permissions';
import { withinOf } from './access/principal';
import { resolvePrincipal } from './access/resolve';
import { getBroker } from './broker';
import { redisAdvice } from './redis-advice';
import { isOwnHost } from './same-site';

const NOT_READY =
  'The console is not ready: it cannot do its work on this Redis just now. Its log says why, and so does this address to those who are signed in.';

/** @throws RedriveError REDIS_UNAVAILABLE, or to those who see everything what is the matter */
export async function readiness(request: Request): Promise<object> {
  const broker = getBroker();
  try {
    const { version } = await broker.ready();
    const at = await broker.now();
    if (!(await seesEverything(request))) return { status: 'ready' };
    const advice = redisAdvice(version);
    return { status: 'ready', redis: version, at, ...(advice === null ? {} : { advice }) };
  } catch (error) {
    if (await seesEverything(request)) throw error;
    throw new RedriveError('REDIS_UNAVAILABLE', NOT_READY, { cause: error });
  }
}

/** Nobody, while it cannot be asked who they are; and nobody who asks by another name than the console's, as probes may. */
async function seesEverything(request: Request): Promise<boolean> {
  if (!isOwnHost(request.headers.get('host'))) return false;
  return resolvePrincipal(request).then(
    (principal) => isEverywhere(withinOf(principal, 'view')),
    () => false,
  );
}

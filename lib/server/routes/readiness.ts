/** Readiness of the console. Probes have no session and learn yes or no; principals with full view learn the reason. */

import { redisAdvice } from '@/lib/broker';
import { isFullScope } from '@/lib/contract/access/grant-scopes';
import { RedriveError } from '@/lib/contract/redrive-error';
import type { Readiness } from '@/lib/contract/request-schemas';
import { scopeOf } from '../authentication/principal';
import { resolvePrincipal } from '../authentication/resolve-principal';
import { getBroker } from '../console-broker';
import { readEnv } from '../environment';
import { allowedHosts, isOwnHost } from '../http/own-host';

const NOT_READY =
  'The console is not ready: Redis is unavailable or unusable. The log has the reason; signed-in administrators see it here.';

/** @throws RedriveError REDIS_UNAVAILABLE; for principals with full view, the exact error */
export async function readiness(request: Request): Promise<Readiness> {
  const broker = getBroker();
  try {
    const { version } = await broker.ready();
    const at = await broker.now();
    if (!(await seesEverything(request))) return { status: 'ready' as const };
    const advice = redisAdvice(version);
    return { status: 'ready', redis: version, at, ...(advice === null ? {} : { advice }) };
  } catch (error) {
    if (await seesEverything(request)) throw error;
    throw new RedriveError('REDIS_UNAVAILABLE', NOT_READY, { cause: error });
  }
}

/** False for probes, which may use any host name, and while Redis cannot resolve a principal. */
async function seesEverything(request: Request): Promise<boolean> {
  if (!isOwnHost(request.headers.get('host'), allowedHosts(readEnv(process.env)))) return false;
  return resolvePrincipal(request).then(
    (principal) => isFullScope(scopeOf(principal, 'view')),
    () => false,
  );
}

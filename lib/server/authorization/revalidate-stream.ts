/** Long responses: aborted when the principal loses the permission, which is checked every 5 s. */

import { type Permission, scopeCovers } from '@/lib/contract/access/grant-scopes';
import { RedriveError } from '@/lib/contract/redrive-error';
import { type Principal, scopeOf } from '../authentication/principal';
import { revalidatePrincipal } from '../authentication/resolve-principal';

const ASK_EVERY_MS = 5_000;

/** Yields from `source` while the principal's scope covers what it was at the start. @throws RedriveError FORBIDDEN | UNAUTHENTICATED */
export async function* revalidateStream<T>(
  principal: Principal,
  permission: Permission,
  source: AsyncGenerator<T, void>,
): AsyncGenerator<T, void> {
  const began = scopeOf(principal, permission);
  let askedAtMs = performance.now();
  for await (const piece of source) {
    if (performance.now() - askedAtMs >= ASK_EVERY_MS) {
      const now = await revalidatePrincipal(principal);
      askedAtMs = performance.now();
      if (!scopeCovers(scopeOf(now, permission), began))
        throw new RedriveError(
          'FORBIDDEN',
          'Your permissions changed while this response was written. Send the request again.',
        );
    }
    yield piece;
  }
}

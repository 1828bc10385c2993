/** Answers that take long: they end soon after whoever asked may not have them any more. */
import { RedriveError } from '@/lib/contract/errors';
import { covers, type Permission } from '@/lib/contract/permissions';
import { type Principal, withinOf } from '../access/principal';
import { stillGood } from '../access/resolve';

const ASK_EVERY_MS = 5_000;

/** Passes on what `source` yields while the asker may still do as much as when they began. */
export async function* whileGood<T>(
  principal: Principal,
  permission: Permission,
  source: AsyncGenerator<T, void>,
): AsyncGenerator<T, void> {
  const began = withinOf(principal, permission);
  let askedAtMs = performance.now();
  for await (const piece of source) {
    if (performance.now() - askedAtMs >= ASK_EVERY_MS) {
      const now = await stillGood(principal);
      askedAtMs = performance.now();
      if (!covers(withinOf(now, permission), began))
        throw new RedriveError('FORBIDDEN', 'Your rights were changed while this was written. Ask again.');
    }
    yield piece;
  }
}

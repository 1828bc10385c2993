/** What `redrive doctor` finds about the channels of alerts: whether their hosts have addresses, and may be reached. Nothing is sent. */

import { targetOf } from '@/lib/contract/alerts/outgoing-target';
import { type AlertConfig, addressOf } from '../settings/alert-config-schema';
import { AlertSendError } from './alert-send-error';
import { type Resolver, resolveTarget } from './resolve-target';

const DEADLINE_MS = 5_000;

/** One sentence for each channel that could not be reached. */
export async function channelProblems(
  { channels, allowedHosts }: AlertConfig,
  options: { readonly resolver?: Resolver; readonly deadlineMs?: number } = {},
): Promise<string[]> {
  const signal = AbortSignal.timeout(options.deadlineMs ?? DEADLINE_MS);
  const checked = await Promise.all(
    channels.map(async (channel) => {
      const target = targetOf(addressOf(channel));
      if (target === null) return [];
      try {
        await resolveTarget(target, { ...options, allowedHosts, signal });
        return [];
      } catch (error) {
        if (error instanceof AlertSendError) return [`Alert channel ${channel.name}: ${error.message}`];
        throw error;
      }
    }),
  );
  return checked.flat();
}

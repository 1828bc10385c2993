/** The configuration as the state of alerts uses it, and as the console shows it. */
import type { AlertReceiver, AlertRules } from '@/lib/broker/alerts';
import type { AlertRule, Channel } from '@/lib/contract/alerts/alert-schemas';
import { FINDING_CODES } from '@/lib/contract/alerts/finding-codes';
import { alertAfterMs, alertConfig, channelTakes } from './alert-config';
import { alertChannels, getMadeChannels, shownSettings } from './made-channels';

export function alertRules(): AlertRules {
  const config = alertConfig();
  return {
    forMs: (code, level) => alertAfterMs(config, code, level),
    resolveAfterMs: config.resolveAfterSeconds * 1_000,
  };
}

export const alertReceivers = (): AlertReceiver[] =>
  alertChannels().map((channel) => ({
    name: channel.name,
    takes: (alert) => channelTakes(channel, alert),
  }));

/** Without secrets. */
export const shownChannels = (latest: ReadonlyMap<string, NonNullable<Channel['latest']>>): Channel[] =>
  [
    ...alertConfig().channels.map((channel) => ({
      ...shownSettings(channel),
      source: 'environment' as const,
      problem: null,
    })),
    ...getMadeChannels().shown(),
  ].map((channel) => ({ ...channel, latest: latest.get(channel.name) ?? null }));

export function shownRules(): AlertRule[] {
  const { forMs } = alertRules();
  const codes = new Set([...FINDING_CODES, ...Object.keys(alertConfig().rules)]);
  return [...codes].map((code) => ({ code, forMs: forMs(code, 'bad'), forWarnMs: forMs(code, 'warn') }));
}

/** Events for PagerDuty's Events API v2. All events of an alert share a key, so that its incident is updated and ends with it. */
import type { AlertMessage } from '@/lib/contract/alerts/alert-schemas';
import { truncateEnd } from '@/lib/format/display-text';
import { factsOf, sentenceOf, titleOf } from './message-text';

/** PagerDuty's limits. */
const SUMMARY_MAX = 1_024;
const KEY_MAX = 255;

const ACTIONS = {
  fired: ['trigger'],
  worse: ['trigger'],
  acknowledged: ['acknowledge'],
  ended: ['resolve'],
  // It shows in the service and leaves no incident open.
  test: ['trigger', 'resolve'],
} as const;

/** In the order they are to be sent. */
export function pagerdutyEvents(message: AlertMessage, routingKey: string): object[] {
  const { alert, event } = message;
  const key = event === 'test' ? message.id : alert.id;
  return ACTIONS[event].map((action) => ({
    routing_key: routingKey,
    event_action: action,
    dedup_key: `redrive/${key}`.slice(0, KEY_MAX),
    ...(action === 'trigger' ? details(message) : {}),
  }));
}

function details(message: AlertMessage): object {
  const { alert, event, environment } = message;
  return {
    payload: {
      summary: truncateEnd(`${titleOf(message)}. ${sentenceOf(message)}`, SUMMARY_MAX),
      source: environment ?? 'redrive',
      severity: event === 'test' ? 'info' : alert.level === 'bad' ? 'critical' : 'warning',
      timestamp: new Date(alert.seenAt).toISOString(),
      component: 'redrive',
      class: alert.code,
      custom_details: Object.fromEntries(factsOf(message)),
    },
    links: [
      { href: message.link, text: 'Show the cause' },
      { href: message.alertsLink, text: 'All alerts' },
    ],
    client: 'Redrive',
    client_url: message.alertsLink,
  };
}

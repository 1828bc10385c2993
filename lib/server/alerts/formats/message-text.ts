/** The words of a message, for every format that people read. Hidden characters are written out; each format escapes its own markup. */
import type { AlertMessage } from '@/lib/contract/alerts/alert-schemas';
import { revealHidden } from '@/lib/format/display-text';
import { count } from '@/lib/format/plural';

const QUEUES_NAMED_MAX = 10;

type Alert = AlertMessage['alert'];

function eventText(event: Exclude<AlertMessage['event'], 'test'>, alert: Alert): string {
  switch (event) {
    case 'fired':
      return alert.level === 'bad' ? 'Bad' : 'Warning';
    case 'worse':
      return 'Worse';
    case 'acknowledged':
      return 'Acknowledged';
    case 'ended':
      return 'Ended';
  }
}

/** "[production] Bad: FAILING in billing". */
export function titleOf(message: AlertMessage): string {
  const { environment, alert } = message;
  const { named, total } = alert.queues;
  const where = total === 0 ? '' : ` in ${total === 1 && named[0] ? named[0] : count(total, 'queue')}`;
  const prefix = environment === null ? '' : `[${environment}] `;
  if (message.event === 'test') return revealHidden(`${prefix}Test of a channel`);
  return revealHidden(`${prefix}${eventText(message.event, alert)}: ${alert.code}${where}`);
}

export const sentenceOf = ({ alert }: AlertMessage): string => revealHidden(alert.sentence);

/** What else a reader wants to know, as pairs of label and value. Times are UTC. */
export function factsOf({ alert }: AlertMessage): [label: string, value: string][] {
  const facts: [string, string][] = [['Since', timeText(alert.seenAt)]];
  if (alert.endedAt !== null) facts.push(['Ended', timeText(alert.endedAt)]);
  if (alert.queues.total > 1) facts.push(['Queues', queuesText(alert)]);
  if (alert.acknowledged !== null) {
    const { actor, note } = alert.acknowledged;
    facts.push(['Acknowledged by', note === null ? actor : `${actor}: ${note}`]);
  }
  return facts.map(([label, value]) => [label, revealHidden(value)]);
}

const timeText = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

function queuesText({ queues: { named, total } }: Alert): string {
  const listed = named.slice(0, QUEUES_NAMED_MAX);
  const more = total - listed.length;
  return `${listed.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** An alert as a mail: text only. */
import type { AlertMessage } from '@/lib/contract/alerts/alert-schemas';
import { truncateEnd } from '@/lib/format/display-text';
import { factsOf, sentenceOf, titleOf } from './message-text';

const SUBJECT_MAX = 200;

export interface MailText {
  readonly subject: string;
  readonly text: string;
  /** The same at every attempt, so that a mail server can drop doubles. */
  readonly messageId: string;
  /** Shared by all mails of an alert: mail programs show them as one conversation. */
  readonly references: string;
}

export function mailText(message: AlertMessage, fromAddress: string): MailText {
  const domain = fromAddress.slice(fromAddress.lastIndexOf('@') + 1);
  const idOf = (part: string) => `<redrive.${part.replace(/[^A-Za-z0-9.-]/g, '-').slice(0, 100)}@${domain}>`;
  const lines = [
    sentenceOf(message),
    '',
    ...factsOf(message).map(([label, value]) => `${label}: ${value}`),
    '',
    `Show the cause: ${message.link}`,
    `All alerts: ${message.alertsLink}`,
  ];
  return {
    subject: truncateEnd(titleOf(message), SUBJECT_MAX),
    text: `${lines.join('\n')}\n`,
    messageId: idOf(message.id),
    references: idOf(`alert-${message.alert.id}`),
  };
}

/** A Slack message for an incoming webhook. Words of others stand in plain text only: mrkdwn could mention everybody or hide an address. */
import type { AlertMessage } from '@/lib/contract/alerts/alert-schemas';
import { truncateEnd } from '@/lib/format/display-text';
import { factsOf, sentenceOf, titleOf } from './message-text';

/** Slack's limits for a header, the text of a section and a field. */
const HEADER_MAX = 150;
const SECTION_MAX = 3_000;
const FIELD_MAX = 2_000;

const plain = (text: string, max: number) => ({
  type: 'plain_text',
  text: truncateEnd(text, max),
  emoji: false,
});

/** The three characters with a meaning in mrkdwn, as Slack's documentation says. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const linkTo = (address: string, label: string): string =>
  `<${escaped(address).replaceAll('|', '%7C')}|${label}>`;

export function slackBody(message: AlertMessage): object {
  const [title, sentence] = [titleOf(message), sentenceOf(message)];
  return {
    // Shown in notifications, where blocks are not.
    text: escaped(truncateEnd(`${title}. ${sentence}`, SECTION_MAX)),
    blocks: [
      { type: 'header', text: plain(title, HEADER_MAX) },
      { type: 'section', text: plain(sentence, SECTION_MAX) },
      {
        type: 'section',
        fields: factsOf(message).map(([label, value]) => plain(`${label}: ${value}`, FIELD_MAX)),
      },
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          text: `${linkTo(message.link, 'Show the cause')} · ${linkTo(message.alertsLink, 'All alerts')}`,
        },
      },
    ],
  };
}

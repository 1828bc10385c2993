/** An adaptive card for a Teams workflow with the trigger "When a Teams webhook request is received". */
import type { AlertMessage } from '@/lib/contract/alerts/alert-schemas';
import { truncateEnd } from '@/lib/format/display-text';
import { factsOf, sentenceOf, titleOf } from './message-text';

/** Teams takes 28 KB: three such texts stay under it, also where a character has four bytes. */
const TEXT_MAX = 2_000;

/** Unlike TextBlock and FactSet it knows no Markdown, so words of others cannot become links. */
const line = (text: string, format: { readonly weight?: 'Bolder'; readonly size?: 'Medium' } = {}) => ({
  type: 'RichTextBlock',
  inlines: [{ type: 'TextRun', text: truncateEnd(text, TEXT_MAX), ...format }],
});
const open = (title: string, url: string) => ({ type: 'Action.OpenUrl', title, url });

export function teamsBody(message: AlertMessage): object {
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.2',
          body: [
            line(titleOf(message), { weight: 'Bolder', size: 'Medium' }),
            line(sentenceOf(message)),
            ...factsOf(message).map(([label, value]) => line(`${label}: ${value}`)),
          ],
          actions: [open('Show the cause', message.link), open('All alerts', message.alertsLink)],
        },
      },
    ],
  };
}

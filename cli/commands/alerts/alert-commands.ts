/** `redrive alerts`. */
import type { Command } from 'commander';
import type { Alert, Delivery } from '@/lib/contract/alerts/alert-schemas';
import { isoDateTime } from '@/lib/format/date-time';
import { contextOf } from '../../terminal/command-context';
import { CommandError, EXIT } from '../../terminal/exit-codes';
import { durationValue, numberValue } from '../../terminal/option-values';
import { tableText } from '../../terminal/print-table';
import type { Terminal } from '../../terminal/terminal';
import { addChannelCommands } from './channel-commands';

const stateOf = ({ state, acknowledged, silencedBy }: Alert): string =>
  [state, acknowledged ? `acknowledged by ${acknowledged.actor}` : '', silencedBy ? 'silenced' : '']
    .filter(Boolean)
    .join(', ');

const alertsText = (alerts: readonly Alert[], none: string): string =>
  tableText(
    ['ALERT', 'LEVEL', 'CODE', 'STATE', 'SINCE', 'ENDED', 'SENTENCE'],
    alerts.map((alert) => [
      alert.id,
      alert.level,
      alert.code,
      stateOf(alert),
      isoDateTime(alert.seenAt),
      isoDateTime(alert.endedAt),
      alert.sentence,
    ]),
    none,
  );

const deliveriesText = (deliveries: readonly Delivery[]): string =>
  tableText(
    ['TIME', 'CHANNEL', 'CODE', 'EVENT', 'STATE', 'ATTEMPTS', 'ERROR'],
    deliveries.map(({ at, channel, code, event, state, attempts, error }) => [
      isoDateTime(at),
      channel,
      code,
      event,
      state,
      attempts,
      error ?? '',
    ]),
    'No message is on record.',
  );

const UNKNOWN = 'Redis cannot be read: alerts and silences are not known.';

export function addAlertCommands(program: Command, terminal: Terminal): void {
  const alerts = program
    .command('alerts')
    .description('list alerts and their messages, acknowledge and silence them, test a channel');
  alerts
    .command('list', { isDefault: true })
    .description('list pending and firing alerts, and silences')
    .action(async (_, command: Command) => {
      const context = contextOf(command, terminal);
      context.show(await context.api.getAlerts(), ({ fresh, live, silences }) => {
        const silencesText = tableText(
          ['SILENCE', 'CODE', 'QUEUE', 'UNTIL', 'BY', 'REASON'],
          silences.map(({ id, code, queue, until, actor, reason }) => [
            id,
            code ?? 'all',
            queue ?? 'all',
            isoDateTime(until),
            actor,
            reason,
          ]),
          '',
        );
        return [alertsText(live, fresh ? 'There are no alerts.' : UNKNOWN), silencesText]
          .filter(Boolean)
          .join('\n\n');
      });
    });
  const list = (name: string, hint: string) =>
    alerts
      .command(name)
      .description(hint)
      .option('--limit <count>', 'how many (default 50)', numberValue)
      .option('--cursor <cursor>', 'continue a list');
  list('ended', 'list alerts that ended in the last 30 days').action(
    async ({ limit, cursor }, command: Command) => {
      const context = contextOf(command, terminal);
      context.show(await context.api.listEndedAlerts({ query: { limit, cursor } }), (page) =>
        alertsText(page.alerts, 'No ended alert is on record.'),
      );
    },
  );
  list('deliveries', 'list messages to channels, newest first')
    .option('--alert <id>', 'of one alert')
    .action(async ({ limit, cursor, alert }, command: Command) => {
      const context = contextOf(command, terminal);
      const query = { limit, cursor, alertId: alert };
      context.show(await context.api.listDeliveries({ query }), (page) => deliveriesText(page.deliveries));
    });
  addChanges(alerts, terminal);
}

function addChanges(alerts: Command, terminal: Terminal): void {
  alerts
    .command('acknowledge <id>')
    .description('say that you take care of a firing alert')
    .option('--note <text>', 'for the others')
    .action(async (id: string, { note }, command: Command) => {
      const context = contextOf(command, terminal);
      const { idempotencyKey } = context;
      context.show(
        await context.api.acknowledgeAlert({ params: { id }, body: { note }, idempotencyKey }),
        (alert) => alertsText([alert], ''),
      );
    });
  alerts
    .command('silence')
    .description('send no alerts of a code, of a queue or of both for a while')
    .option('--code <code>', 'code of a finding, such as DEEP')
    .option('--queue <queue>', 'only of this queue')
    .requiredOption('--for <duration>', 'how long, such as 2h', durationValue)
    .requiredOption('--reason <text>', 'why')
    .action(async (options, command: Command) => {
      const context = contextOf(command, terminal);
      const { code, queue, reason } = options;
      const silence = await context.sendOnce((idempotencyKey) =>
        context.api.silenceAlerts({ body: { code, queue, reason, forMs: options.for }, idempotencyKey }),
      );
      context.show(silence, ({ id, until }) => `Silence ${id} until ${isoDateTime(until)}.`);
    });
  alerts
    .command('unsilence <id>')
    .description('end a silence')
    .option('--reason <text>', 'why')
    .action(async (id: string, { reason }, command: Command) => {
      const context = contextOf(command, terminal);
      const input = { params: { id }, body: { reason }, idempotencyKey: context.idempotencyKey };
      context.show(await context.api.removeSilence(input), () => `Ended silence ${id}.`);
    });
  const channels = addChannelCommands(alerts, terminal);
  for (const parent of [alerts, channels])
    parent
      .command('test <channel>')
      .description('send a test message to a channel; exit code 8 if it did not arrive')
      .option('--reason <text>', 'why')
      .action(async (channel: string, { reason }, command: Command) => {
        const context = contextOf(command, terminal);
        const input = { params: { name: channel }, body: { reason }, idempotencyKey: context.idempotencyKey };
        const delivery = await context.api.testChannel(input);
        context.show(delivery, (one) => deliveriesText([one]));
        if (delivery.state !== 'sent')
          throw new CommandError(`The test message did not reach ${channel}.`, EXIT.notWell);
      });
}

/** `redrive alerts channels`. */
import type { Command } from 'commander';
import type { Channel } from '@/lib/contract/alerts/alert-schemas';
import type { ChannelPatch, ChannelRequest } from '@/lib/contract/alerts/channel-settings';
import { isoDateTime } from '@/lib/format/date-time';
import { contextOf } from '../../terminal/command-context';
import { jsonValue } from '../../terminal/option-values';
import { tableText } from '../../terminal/print-table';
import type { Terminal } from '../../terminal/terminal';
import { explainRefusalBy } from '../access-commands';

const explainRefusal = explainRefusalBy('change channels on its page Alerts');

const all = (words: readonly string[] | null): string => words?.join(', ') ?? 'all';

const channelsText = (channels: readonly Channel[]): string =>
  tableText(
    ['CHANNEL', 'KIND', 'FROM', 'TARGET', 'LEVELS', 'CODES', 'QUEUES', 'LATEST', 'RESULT'],
    channels.map(({ name, kind, source, target, levels, codes, queues, latest, problem }) => [
      name,
      kind,
      source,
      target,
      levels.join(', '),
      all(codes),
      all(queues),
      isoDateTime(latest?.at),
      problem ?? latest?.error ?? latest?.state,
    ]),
    'There is no channel that you may see.',
  );

export function addChannelCommands(alerts: Command, terminal: Terminal): Command {
  const channels = alerts
    .command('channels')
    .description('list the channels of alerts; make, change and remove those of the console');
  channels
    .command('list', { isDefault: true })
    .description('list the channels')
    .action(async (_, command: Command) => {
      const context = contextOf(command, terminal);
      const page = await context.api.getAlerts();
      context.show(page.channels, channelsText);
    });
  // By standard input, so that no secret stands in the list of processes or in the history of a shell.
  const fields = async (data: string | undefined): Promise<unknown> =>
    jsonValue(data ?? (await terminal.readInput())).value;
  channels
    .command('add')
    .description('make a channel: {"name", "kind", …} on standard input')
    .option('--data <json>', 'the fields; default: standard input')
    .option('--reason <text>', 'why')
    .action(async ({ data, reason }, command: Command) => {
      const context = contextOf(command, terminal);
      const channel = (await fields(data)) as ChannelRequest['channel'];
      const made = await context.sendOnce((idempotencyKey) =>
        context.api.addChannel({ body: { channel, reason }, idempotencyKey }).catch(explainRefusal),
      );
      context.show(made, (one) => channelsText([one]));
    });
  channels
    .command('change <channel>')
    .description('change the given fields of a channel; secrets that are left out stay')
    .option('--data <json>', 'the fields; default: standard input')
    .option('--reason <text>', 'why')
    .action(async (name: string, { data, reason }, command: Command) => {
      const context = contextOf(command, terminal);
      const channel = (await fields(data)) as ChannelPatch['channel'];
      const { idempotencyKey } = context;
      const changed = await context.api
        .changeChannel({
          params: { name },
          body: { channel, reason },
          idempotencyKey,
        })
        .catch(explainRefusal);
      context.show(changed, (one) => channelsText([one]));
    });
  channels
    .command('remove <channel>')
    .description('remove a channel of the console')
    .option('--reason <text>', 'why')
    .action(async (name: string, { reason }, command: Command) => {
      const context = contextOf(command, terminal);
      await context.confirm(`Remove channel ${name}.`);
      const input = { params: { name }, body: { reason }, idempotencyKey: context.idempotencyKey };
      context.show(await context.api.removeChannel(input).catch(explainRefusal), () => `Removed ${name}.`);
    });
  return channels;
}

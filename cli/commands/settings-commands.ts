/** `redrive settings`: of a queue. */
import type { Command } from 'commander';
import type { ConfigPatch } from '@/lib/contract/queues/queue-config';
import { isoDateTime } from '@/lib/format/date-time';
import { contextOf } from '../terminal/command-context';
import { CommandError, EXIT } from '../terminal/exit-codes';
import { numberValue } from '../terminal/option-values';
import { factsText, tableText } from '../terminal/print-table';
import type { Terminal } from '../terminal/terminal';

const settingsText = ({ config, revision }: { config: object; revision: number }): string =>
  factsText([
    ['revision', revision],
    ...Object.entries(config).map(([name, value]): [string, string] => [name, JSON.stringify(value)]),
  ]);

export function addSettingsCommands(program: Command, terminal: Terminal): void {
  const settings = program.command('settings').description('show or change the settings of a queue');
  settings
    .command('show <queue>')
    .description('show the settings of a queue')
    .action(async (queue: string, _, command: Command) => {
      const context = contextOf(command, terminal);
      context.show(await context.api.getQueueSettings({ params: { queue } }), settingsText);
    });
  settings
    .command('set <queue> <settings...>')
    .description('change settings: name=value, where value is JSON')
    .option('--reason <text>', 'why')
    .option('--if-revision <number>', 'only if no one has changed them since', numberValue)
    .action(async (queue: string, pairs: string[], { reason, ifRevision }, command: Command) => {
      const context = contextOf(command, terminal);
      const patch = Object.fromEntries(pairs.map(settingIn)) as ConfigPatch;
      await context.confirm(`Change ${Object.keys(patch).join(', ')} of ${queue}.`);
      const body = { ...patch, reason, ifRevision };
      const { idempotencyKey } = context;
      context.show(
        await context.api.changeQueueSettings({ params: { queue }, body, idempotencyKey }),
        settingsText,
      );
    });
  settings
    .command('changes <queue>')
    .description('list who changed a queue, newest first')
    .action(async (queue: string, _, command: Command) => {
      const context = contextOf(command, terminal);
      context.show(await context.api.listQueueChanges({ params: { queue } }), ({ changes }) =>
        tableText(
          ['AT', 'BY', 'CHANGE', 'REASON'],
          changes.map(({ at, actor, reason, ...change }) => [
            isoDateTime(at),
            actor,
            JSON.stringify(change),
            reason,
          ]),
          'No change is on record.',
        ),
      );
    });
}

function settingIn(pair: string): [name: string, value: unknown] {
  const at = pair.indexOf('=');
  const [name, text] = [pair.slice(0, at), pair.slice(at + 1)];
  if (at > 0)
    try {
      return [name, JSON.parse(text)];
    } catch {
      // Said below.
    }
  throw new CommandError(
    `${pair}: write name=value, where value is JSON, such as depthLimit=10000.`,
    EXIT.usage,
  );
}

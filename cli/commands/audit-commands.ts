/** `redrive audit`: over the API, or straight at Redis (`verify`, `export`, `head`). */
import { type Command, Option } from 'commander';
import { AUDIT_RESULTS } from '@/lib/contract/audit/audit-objects';
import { isoDateTime } from '@/lib/format/date-time';
import { contextOf } from '../terminal/command-context';
import { CommandError, EXIT } from '../terminal/exit-codes';
import { numberValue } from '../terminal/option-values';
import { pageText, tableText } from '../terminal/print-table';
import type { Terminal } from '../terminal/terminal';

export function addAuditCommands(program: Command, terminal: Terminal): void {
  const audit = program.command('audit').description('read and check the audit log');
  audit
    .command('list', { isDefault: true })
    .description('list audit events, newest first')
    .option('--text <text>', 'part of any field')
    .option('--actor <name>', 'who')
    .option('--action <name>', 'what, such as queue.pause or queue')
    .option('--queue <queue>', 'only this queue')
    .addOption(new Option('--result <result>', 'only these').choices(AUDIT_RESULTS))
    .option('--limit <count>', 'how many (default 50)', numberValue)
    .option('--cursor <cursor>', 'continue a list')
    .action(async (query, command: Command) => {
      const context = contextOf(command, terminal);
      const { text, actor, action, queue, result, limit, cursor } = query;
      const page = await context.api.listAuditEvents({
        query: { text, actor, action, queue, result, limit, cursor },
      });
      context.show(page, ({ events, nextCursor }) =>
        pageText(
          tableText(
            ['AT', 'BY', 'ACTION', 'RESULT', 'OBJECT', 'QUEUE', 'REASON'],
            events.map((row) => [
              isoDateTime(row.at),
              row.actor,
              row.action,
              row.result,
              row.object ? `${row.object.kind} ${row.object.id}` : '–',
              row.queue,
              row.reason,
            ]),
            nextCursor === null
              ? 'No audit event matches.'
              : 'No match so far: not all events were looked at.',
          ),
          nextCursor,
        ),
      );
    });
  audit
    .command('check')
    .description('check the chain of the newest entries')
    .action(async (_, command: Command) => {
      const context = contextOf(command, terminal);
      const check = await context.api.checkAuditLog();
      context.show(check, ({ checked, problems }) =>
        [...problems.map(({ sentence }) => sentence), `${checked} entries checked.`].join('\n'),
      );
      if (!check.ok) throw new CommandError('The audit log does not hold.', EXIT.notWell);
    });
  audit
    .command('verify')
    .description('check the whole log in Redis (REDIS_URL), or a file')
    .option('--file <path>', 'an exported log; needs no Redis')
    .action(async ({ file }) => {
      const { verifyAuditLog } = await import('../read-audit-log');
      await verifyAuditLog(terminal, file);
    });
  audit
    .command('export')
    .description('write all entries of the log in Redis (REDIS_URL), to the letter')
    .action(async () => (await import('../read-audit-log')).exportAuditLog(terminal));
  audit
    .command('head')
    .description('show number and hash of the newest entry in Redis (REDIS_URL)')
    .action(async () => (await import('../read-audit-log')).showAuditHead(terminal));
}

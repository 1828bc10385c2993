/** `redrive`: what the console does, from the command line. */
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { revealHidden } from '@/lib/format/display-text';
import { addAccessCommands } from './commands/access-commands';
import { addAlertCommands } from './commands/alerts/alert-commands';
import { addApiCommand } from './commands/api-command';
import { addAuditCommands } from './commands/audit-commands';
import { addCompletionCommand } from './commands/completion-command';
import { addConsoleCommand } from './commands/console-command';
import { addDeadCommands } from './commands/dead-commands';
import { addDoctorCommand } from './commands/doctor-command';
import { addEnqueueCommand } from './commands/enqueue-command';
import { addJobCommands } from './commands/job-commands';
import { addOperationCommands } from './commands/operation-commands';
import { addQueueCommands } from './commands/queue-commands';
import { addScheduleCommands } from './commands/schedule-commands';
import { addSettingsCommands } from './commands/settings-commands';
import { addStatsCommand } from './commands/stats-command';
import { addWorkerCommands } from './commands/worker-commands';
import { EXIT, exitCodeOf, sentenceOf } from './terminal/exit-codes';
import { numberValue } from './terminal/option-values';
import type { Terminal } from './terminal/terminal';

const EXIT_HELP = `
Exit codes: 0 done, 1 unexpected, 2 wrong command line, 3 refused, 4 not found, 5 not allowed,
            6 no answer (a change may have taken effect), 7 not confirmed, 8 not completed or not well

Documentation: docs/cli/commands.md`;

/** Every command with its options, in the order of its help. */
export function redriveProgram(terminal: Terminal): Command {
  const program = new Command('redrive')
    .description('Operate Redrive queues: over the API of a console (--url), or straight at Redis (--redis).')
    .option('--url <address>', 'console; default: REDRIVE_URL')
    .option('--token <token>', 'API token; better: REDRIVE_TOKEN, which no list of processes shows')
    .option('--insecure-http', 'send the API token over http to another machine, readable on the way')
    .option('--json', 'print JSON for programs')
    .option('-y, --yes', 'do not ask before a change')
    .option('--timeout <ms>', 'wait at most so long for an answer (default 30000)', numberValue)
    .option('--idempotency-key <key>', 'the same each time one change is sent: it then takes effect once')
    .showHelpAfterError('(add --help for the options)')
    .addHelpText('after', EXIT_HELP)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.err(text),
    });
  for (const add of [
    addQueueCommands,
    addEnqueueCommand,
    addJobCommands,
    addDeadCommands,
    addOperationCommands,
    addScheduleCommands,
    addWorkerCommands,
    addAlertCommands,
    addSettingsCommands,
    addAccessCommands,
    addAuditCommands,
    addStatsCommand,
    addDoctorCommand,
    addConsoleCommand,
    addApiCommand,
    addCompletionCommand,
  ])
    add(program, terminal);
  return program;
}

/** @returns the exit code */
export async function runRedrive(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await redriveProgram(terminal).parseAsync([...args], { from: 'user' });
    return EXIT.done;
  } catch (error) {
    // Commander has printed its own errors; a value that an action refuses has no sentence on screen yet.
    const refusedValue = error instanceof InvalidArgumentError;
    if (error instanceof CommanderError && !refusedValue)
      return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    terminal.err(`${revealHidden(sentenceOf(error), '\n')}\n`);
    return refusedValue ? EXIT.usage : exitCodeOf(error);
  }
}

/** `redrive doctor`: see run-doctor.ts. */
import type { Command } from 'commander';
import { contextOf } from '../terminal/command-context';
import { CommandError, EXIT } from '../terminal/exit-codes';
import type { Terminal } from '../terminal/terminal';

export function addDoctorCommand(program: Command, terminal: Terminal): void {
  program
    .command('doctor')
    .description('say what is wrong with the configuration and its Redis (REDIS_URL), and how to fix it')
    .option('--all', 'list checks that are fine, too')
    .option('--redis', 'check the Redis only, for a machine without a console')
    .option('--strict', 'warnings and unknown checks count as wrong')
    .action(async ({ all, redis, strict }, command: Command) => {
      const { json } = contextOf(command, terminal).options;
      const { runDoctor } = await import('../run-doctor');
      const code = await runDoctor({ all, strict, json, redisOnly: redis, say: terminal.out });
      if (code !== 0) throw new CommandError('Something is wrong.', EXIT.notWell);
    });
}

/** `redrive console`: see run-console.ts. */
import type { Command } from 'commander';
import { CommandError, EXIT } from '../terminal/exit-codes';
import type { Terminal } from '../terminal/terminal';

export function addConsoleCommand(program: Command, terminal: Terminal): void {
  program
    .command('console')
    .description('start the built console against a Redis (REDIS_URL)')
    .option(
      '--folder <path>',
      'folder with the built console (default: this one, or the package redrive-console)',
    )
    .option('--redis <url>', 'instead of REDIS_URL')
    .option('--host <address>', 'instead of HOST')
    .option('--port <number>', 'instead of PORT')
    .option('--config <file>', 'instead of REDRIVE_CONFIG_FILE')
    .action(async ({ folder, redis, host, port, config }) => {
      const { runConsole } = await import('../run-console');
      const options = { folder, redisUrl: redis, host, port, configFile: config, say: terminal.out };
      if ((await runConsole(options)) !== 0) throw new CommandError('The console has ended.', EXIT.failed);
    });
}

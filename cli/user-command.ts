/** `npm run user`: see run-user-command.ts. */
import { runUserCommand } from './run-user-command';

process.exitCode = await runUserCommand(process.argv.slice(2));

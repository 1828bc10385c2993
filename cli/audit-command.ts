/** `npm run audit`: see run-audit-command.ts. */
import { runAuditCommand } from './run-audit-command';

process.exitCode = await runAuditCommand(process.argv.slice(2));

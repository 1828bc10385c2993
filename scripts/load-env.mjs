/** `node --import ./scripts/load-env.mjs …`: for commands that take their settings from `.env`, as the console does. */
import { join } from 'node:path';
import { loadEnvOrExit } from './lib/env-file.mjs';

loadEnvOrExit(join(import.meta.dirname, '..'));

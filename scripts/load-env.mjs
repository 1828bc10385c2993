/** `node --import ./scripts/load-env.mjs …`: for commands that take their settings from `.env`, as the console does. */
import { join } from 'node:path';
import { loadEnv } from './lib/env-file.mjs';

loadEnv(join(import.meta.dirname, '..'));

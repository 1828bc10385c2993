/** `redrive console` passes a signal on once, also when the terminal signals the whole group (Ctrl-C). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

/** In place of the console: ends at SIGHUP, with 10 and the number of its SIGINTs. */
const CONSOLE = `
let interrupts = 0;
process.on('SIGINT', () => { interrupts += 1; console.log('interrupted'); });
process.on('SIGHUP', () => process.exit(10 + interrupts));
setInterval(() => {}, 1_000);
console.log('ready');
`;

test('Ctrl-C reaches the console once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'redrive-console-'));
  const files = {
    '.next/BUILD_ID': '',
    'dist/server/front-server.js': '',
    'scripts/serve.mjs': CONSOLE,
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  const command = pathToFileURL(join(import.meta.dirname, 'run-console.ts')).href;
  const code = `import { runConsole } from ${JSON.stringify(command)};
    runConsole({ folder: ${JSON.stringify(folder)}, say: console.log }).then((code) => process.exit(code));`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', code], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const ended = once(child, 'exit');
    let output = '';
    for await (const part of child.stdout) {
      output += part;
      if (String(part).includes('ready')) process.kill(-(child.pid as number), 'SIGINT');
      if (String(part).includes('interrupted')) child.kill('SIGHUP');
    }
    expect(output).toBe('ready\ninterrupted\n');
    expect((await ended)[0]).toBe(11);
  } finally {
    child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
}, 60_000);

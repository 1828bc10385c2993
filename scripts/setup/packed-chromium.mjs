/**
 * A Chromium that arrives through the npm registry, for machines with no browser, no root and no browser download:
 * @sparticuz/chromium carries a headless build, its fonts and the libraries a bare machine lacks.
 */
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, tryRun } from '../lib/run-command.mjs';

const PACKAGE = '@sparticuz/chromium@147.0.0';

/** Unpacks the package's archives into TMPDIR; VERCEL makes it unpack its libraries as well. */
const UNPACK = "import('@sparticuz/chromium').then((m) => m.default.executablePath())";

/** The browser asks for fonts and for libraries only where the system has none. @param {string} dir */
const launcher = (dir) => `#!/bin/sh
[ -d /etc/fonts ] || export FONTCONFIG_PATH='${dir}/fonts'
if ! '${dir}/chromium' --version >/dev/null 2>&1; then
  export LD_LIBRARY_PATH='${dir}/al2023/lib'"\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
fi
exec '${dir}/chromium' "$@"
`;

/** @param {string} root the folder it is kept in @returns {string} an executable that answers --version */
export function packedChromium(root) {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error(`${PACKAGE} is for Linux on x64 only`);
  const dir = join(root, 'unpacked');
  const program = join(root, 'chromium');
  if (existsSync(program) && tryRun(program, ['--version'])) return program;

  rmSync(root, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  const args = [
    'install',
    '--prefix',
    root,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const npm = process.env.npm_execpath;
  const [command, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  run(command, [...first, ...args, PACKAGE], { timeoutMs: 300_000, show: true });
  const env = { ...process.env, TMPDIR: dir, VERCEL: '1' };
  run(process.execPath, ['--input-type=module', '-e', UNPACK], { cwd: root, env, timeoutMs: 120_000 });
  writeFileSync(program, launcher(dir));
  chmodSync(program, 0o755);
  run(program, ['--version']);
  return program;
}

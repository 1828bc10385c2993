/**
 * Bundles the Lua scripts when they are not what their sources give (see lua.mjs): bundles are built, not committed. Run it, or
 * import it before anything that imports lib/broker.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = join(ROOT, 'lib/broker/lua');
const TARGET = join(ROOT, 'lib/broker/lua.generated.ts');

/** @param {string} digest */
const isCurrent = (digest) =>
  existsSync(TARGET) && readFileSync(TARGET, 'utf8').slice(0, 200).includes(`sources ${digest}`);

if (existsSync(FOLDER)) {
  const { generate, luaFiles } = await import('./lua.mjs');
  const hash = createHash('sha1');
  for (const file of ['scripts/lua.mjs', 'scripts/lib/lua-source.mjs'])
    hash.update(readFileSync(join(ROOT, file)));
  for (const file of luaFiles()) hash.update(`${file}\n`).update(readFileSync(join(FOLDER, file)));
  const digest = hash.digest('hex');
  if (!isCurrent(digest)) {
    // In one step: other processes may read it, or make it as well.
    const part = `${TARGET}.${process.pid}.part`;
    writeFileSync(part, `// sources ${digest}\n${generate()}`);
    renameSync(part, TARGET);
  }
}

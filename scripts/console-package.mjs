/**
 * `npm run build:console-package`: the built console as a package without packages, in dist/console-package. `npm pack` makes the tarball;
 * installed beside the package `redrive`, it is what `redrive console` starts. Needs a build.
 *
 *   --out <folder>   writes it there instead
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = resolve(fileURLToPath(import.meta.url), '../..');
/** What compose.yaml and a clone have beside the console. */
const LEFT_OUT = ['deploy', 'dist/worker', 'next.config.js'];

const README = `# The console of Redrive

What the command \`redrive console\` of the package \`redrive\` starts. Install both, of the same version:

    npx redrive console --redis redis://127.0.0.1:6379

It prints a link to sign in on this machine. \`--config <file>\` reads all settings from a file.
`;

/**
 * The build asks for packages that stay outside of it by names of its own, which are links in .next/node_modules. npm packs neither links nor
 * such a folder, so the names become those of the packages.
 * @param {string} out
 */
function nameByPackage(out) {
  const folder = join(out, '.next/node_modules');
  /** @type {Map<string, string>} */
  const names = new Map();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) continue;
    const path = join(entry.parentPath, entry.name);
    const target = resolve(path, '..', readlinkSync(path));
    names.set(relative(folder, path), relative(join(out, 'node_modules'), target));
  }
  for (const entry of readdirSync(join(out, '.next/server'), { recursive: true, encoding: 'utf8' })) {
    if (!entry.endsWith('.js')) continue;
    const file = join(out, '.next/server', entry);
    const text = readFileSync(file, 'utf8');
    const named = [...names].reduce((code, [name, target]) => code.replaceAll(name, target), text);
    if (named !== text) writeFileSync(file, named);
  }
  rmSync(folder, { recursive: true });
}

/** @param {string} out */
function writeManifest(out) {
  const root = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const traced = Object.keys(root.dependencies).filter((name) => existsSync(join(out, 'node_modules', name)));
  const manifest = {
    name: 'redrive-console',
    version: root.version,
    description: 'The built operator console of Redrive, for `redrive console`',
    license: root.license,
    type: 'module',
    engines: root.engines,
    exports: { './package.json': './package.json' },
    // The very versions that it was built with: Next reads its own build only.
    dependencies: Object.fromEntries(traced.map((name) => [name, root.dependencies[name]])),
  };
  writeFileSync(join(out, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

const { values } = parseArgs({
  options: { out: { type: 'string', default: join(ROOT, 'dist/console-package') } },
});
const out = resolve(values.out);
try {
  execFileSync(process.execPath, [join(ROOT, 'scripts/standalone.mjs'), '--out', out], {
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 300_000,
  });
  nameByPackage(out);
  writeManifest(out);
  for (const path of [...LEFT_OUT, 'node_modules']) rmSync(join(out, path), { recursive: true });
  writeFileSync(join(out, 'README.md'), README);
  console.log(`The package of the console is in ${relative(process.cwd(), out) || '.'}.`);
} catch (error) {
  console.error(/** @type {Error} */ (error).message);
  process.exitCode = 1;
}

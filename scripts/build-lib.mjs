/**
 * `npm run build:lib`: the broker and the worker runtime as a package, in dist/lib. `npm pack dist/lib` makes the tarball.
 *
 *   --out <folder>   builds it there instead
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { generateDtsBundle } from 'dts-bundle-generator';
import { build } from 'esbuild';
import './ensure-lua.mjs';

const ROOT = resolve(fileURLToPath(import.meta.url), '../..');
/**
 * What the package leaves to npm; anything else it imports is a mistake. Peers are those whose objects cross its border: an
 * application's schemas must be of its own zod, and its tracer must be the one our API copy finds.
 */
const DEPENDENCIES = ['ioredis', 'lru-cache', 'p-limit', 'pino', 'croner', 'commander'];
const PEERS = /** @type {Record<string, string>} */ ({ zod: '^4.0.0', '@opentelemetry/api': '^1.9.0' });
const ALLOWED = [...DEPENDENCIES, ...Object.keys(PEERS)];

/** People read them. */
const DECLARATIONS_MAX_BYTES = 80_000;

/** Import paths of the package: `redrive`, and `redrive/api` without anything of Redis. */
const ENTRIES = { index: 'lib/index.ts', api: 'lib/api-client/index.ts' };
/** The command. */
const BIN = { redrive: 'cli/redrive.ts' };

const root = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** Bundles lib/, the command in cli/, and nothing else. @param {string} out @returns {Promise<string[]>} the packages it imports */
async function buildCode(out) {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: { ...ENTRIES, ...BIN },
    outdir: out,
    // What both need is there once.
    splitting: true,
    chunkNames: 'shared-[hash]',
    bundle: true,
    // The users file takes a native module: see cli/commands/access-commands.ts.
    external: [...ALLOWED, '*/change-users-file'],
    platform: 'node',
    target: 'node20',
    format: 'esm',
    sourcemap: true,
    metafile: true,
    logLevel: 'warning',
  });
  const strays = Object.keys(metafile.inputs).filter((file) => !/^(lib|cli)\//.test(file));
  if (strays.length > 0)
    throw new Error(
      `The package would hold files from outside lib/ and cli/: ${strays.slice(0, 5).join(', ')}. Remove the import, or add its package to DEPENDENCIES in scripts/build-lib.mjs.`,
    );
  const imports = Object.values(metafile.outputs)
    .flatMap((output) => output.imports.map(({ path }) => path))
    .filter((path) => ALLOWED.includes(path));
  return [...new Set(imports)].sort();
}

/** @param {string} out */
function buildTypes(out) {
  const bundles = generateDtsBundle(
    Object.values(ENTRIES).map((file) => ({
      filePath: join(ROOT, file),
      output: { noBanner: true, exportReferencedTypes: false },
    })),
    { preferredConfigPath: join(ROOT, 'scripts/lib/package.tsconfig.json') },
  );
  // Buffer and AbortSignal are Node's; an application need not list them in its own settings.
  // Types that are inferred from schemas, or of the broker's inside, make them ten times as long.
  const bytes = Buffer.byteLength(bundles[0] ?? '');
  if (bytes > DECLARATIONS_MAX_BYTES)
    throw new Error(
      `The declarations of redrive have ${bytes} bytes, at most ${DECLARATIONS_MAX_BYTES} are allowed. Write the types of what was added by hand.`,
    );
  for (const [at, name] of Object.keys(ENTRIES).entries())
    writeFileSync(join(out, `${name}.d.ts`), `/// <reference types="node" />\n${bundles[at] ?? ''}`);
}

/** @param {string} out @param {string[]} imports */
function writeManifest(out, imports) {
  /** @param {string[]} names @param {(name: string) => string} range */
  const ranges = (names, range) =>
    Object.fromEntries(names.filter((name) => imports.includes(name)).map((name) => [name, range(name)]));
  const manifest = {
    name: root.name,
    version: root.version,
    description: 'Job broker and worker runtime for Redis',
    license: root.license,
    type: 'module',
    engines: root.engines,
    sideEffects: false,
    main: './index.js',
    types: './index.d.ts',
    bin: Object.fromEntries(Object.keys(BIN).map((name) => [name, `./${name}.js`])),
    exports: {
      '.': { types: './index.d.ts', default: './index.js' },
      './api': { types: './api.d.ts', default: './api.js' },
      './package.json': './package.json',
    },
    dependencies: ranges(DEPENDENCIES, (name) => `^${root.dependencies[name]}`),
    peerDependencies: ranges(Object.keys(PEERS), (name) => PEERS[name] ?? ''),
  };
  writeFileSync(join(out, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** The guide is the package's README, and the pages it points to lie beside it. @param {string} out */
function copyDocs(out) {
  /** @param {string} file */
  const read = (file) => readFileSync(join(ROOT, file), 'utf8');
  const guide = read('docs/library.md');
  const pages = new Set([...guide.matchAll(/\]\(([\w-]+\.md)/g)].map(([, page = '']) => page));
  /** What the package does not hold is named, not linked. @param {string} text */
  const plain = (text) =>
    text.replace(/\[([^\]]+)\]\((?!https?:|#)([^)#]+)[^)]*\)/g, (link, words, target) =>
      pages.has(target) ? link : words,
    );
  writeFileSync(join(out, 'README.md'), plain(guide));
  for (const page of pages) writeFileSync(join(out, page), plain(read(`docs/${page}`)));
  cpSync(join(ROOT, 'LICENSE'), join(out, 'LICENSE'));
}

const { values } = parseArgs({ options: { out: { type: 'string', default: join(ROOT, 'dist/lib') } } });
const out = resolve(values.out);
try {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const imports = await buildCode(out);
  buildTypes(out);
  writeManifest(out, imports);
  copyDocs(out);
  console.log(`The package is in ${relative(process.cwd(), out) || '.'}; it needs ${imports.join(', ')}.`);
} catch (error) {
  console.error(/** @type {Error} */ (error).message);
  process.exitCode = 1;
}

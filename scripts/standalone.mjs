/**
 * `npm run build:standalone`: the built console with exactly the files that it reads, in dist/console. The image holds this folder; it also
 * runs without a container: `node dist/console/scripts/serve.mjs`. Needs a build.
 *
 *   --out <folder>   writes it there instead
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = resolve(fileURLToPath(import.meta.url), '../..');
/** Next traces its routes with it; what our server imports before Next is traced by the same. */
const { nodeFileTrace } = createRequire(import.meta.url)('next/dist/compiled/@vercel/nft');

const ENTRIES = ['scripts/serve.mjs', 'scripts/health-check.mjs', 'deploy/compose/make-secrets.mjs'];
/** What only `npm run dev`, the build or a debugger reads, and the service for pictures, which is off. */
const LEFT_OUT =
  /\.(?:map|nft\.json|[cm]?tsx?)$|^node_modules\/(?:@[^/]+\/)?[^/]+\/(?:tests?|types\/tests?|benchmarks?)\/|^scripts\/(?:ensure-lua|lua)\.mjs$|^scripts\/lib\/(?:bundle|lua-source)\.mjs$|^node_modules\/(?:esbuild|@esbuild|sharp|@img|detect-libc|typescript|caniuse-lite|baseline-browser-mapping)\/|^node_modules\/next\/dist\/(?:docs|compiled\/next-server\/.*\.dev\.js)/;
/** Of .next: what the server reads. The rest is of the build, or of `next dev`. */
const NEXT_SKIPPED = /^(cache|dev|diagnostics|trace.*|types|redrive-build-hash|turbopack)$/;
const LAYERS = ['node_modules', '.next', 'dist', 'scripts', 'public'];

/** @param {string} folder @returns {string[]} */
const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));

/** What Next's own traces name, as paths from the root. */
function tracedByNext() {
  const files = new Set();
  for (const trace of filesIn(join(ROOT, '.next')).filter((file) => file.endsWith('.nft.json')))
    for (const file of JSON.parse(readFileSync(trace, 'utf8')).files)
      files.add(relative(ROOT, resolve(dirname(trace), file)));
  return files;
}

async function tracedByUs() {
  const { fileList } = await nodeFileTrace(
    ENTRIES.map((file) => join(ROOT, file)),
    { base: ROOT, processCwd: ROOT, ignore: (/** @type {string} */ file) => LEFT_OUT.test(file) },
  );
  return fileList;
}

/** @param {string} path @returns {number} bytes */
const sizeOf = (path) =>
  existsSync(path) ? filesIn(path).reduce((sum, file) => sum + statSync(file).size, 0) : 0;
const mib = (/** @type {number} */ bytes) => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;

/** @param {string} out */
async function build(out) {
  if (!['.next/BUILD_ID', 'dist/server/front-server.js'].every((file) => existsSync(join(ROOT, file))))
    throw new Error('There is no build to pack. Run: npm run build');
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const filter = (/** @type {string} */ file) => !LEFT_OUT.test(relative(ROOT, file));
  /** @param {string} file */
  const copy = (file) =>
    cpSync(join(ROOT, file), join(out, file), { recursive: true, verbatimSymlinks: true, filter });
  const traced = new Set([...tracedByNext(), ...(await tracedByUs())]);
  for (const file of traced) if (/^(?:node_modules|scripts|deploy)\//.test(file)) copy(file);
  for (const entry of readdirSync(join(ROOT, '.next'))) if (!NEXT_SKIPPED.test(entry)) copy(`.next/${entry}`);
  for (const file of ['public', 'dist/server', 'dist/worker', 'next.config.js', 'LICENSE']) copy(file);
  const { name, version, license } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  writeFileSync(
    join(out, 'package.json'),
    `${JSON.stringify({ name, version, license, private: true, type: 'module' }, null, 2)}\n`,
  );
}

const { values } = parseArgs({ options: { out: { type: 'string', default: join(ROOT, 'dist/console') } } });
const out = resolve(values.out);
try {
  await build(out);
  const sizes = LAYERS.map((layer) => `${layer} ${mib(sizeOf(join(out, layer)))}`);
  console.log(
    `The console is in ${relative(process.cwd(), out)}: ${mib(sizeOf(out))} (${sizes.join(', ')}).`,
  );
} catch (error) {
  console.error(/** @type {Error} */ (error).message);
  process.exitCode = 1;
}

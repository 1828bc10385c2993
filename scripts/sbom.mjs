/**
 * A bill of materials (CycloneDX 1.5, JSON) of what a console needs to be built and to run, on standard output: `npm run sbom > sbom.json`. Made of the
 * lockfile, so it names every platform's packages, needs no network, and is the same for the same lockfile. npm has such a command, too,
 * but it left out packages that are both a dependency of ours and an optional peer of another.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** @param {Record<string, any>} lock a package-lock.json, version 3 */
export function billOf(lock) {
  const own = lock.packages[''];
  const components = Object.entries(lock.packages)
    .filter(([path, one]) => path.includes('node_modules/') && !one.dev && !one.devOptional)
    .map(([path, one]) => componentOf(path.split('node_modules/').at(-1), one))
    .sort((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1));
  const once = components.filter((one, i) => one['bom-ref'] !== components[i - 1]?.['bom-ref']);
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': `${own.name}@${own.version}`,
        name: own.name,
        version: own.version,
      },
    },
    components: once,
  };
}

function componentOf(name, { version, integrity = '', license, optional }) {
  const [algorithm, digest = ''] = integrity.split('-');
  return {
    type: 'library',
    'bom-ref': `${name}@${version}`,
    name,
    version,
    scope: optional ? 'optional' : 'required',
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(algorithm === 'sha512'
      ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] }
      : {}),
    ...(license ? { licenses: [{ expression: license }] } : {}),
  };
}

if (process.argv[1] === import.meta.filename)
  process.stdout.write(
    `${JSON.stringify(billOf(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))), null, 2)}\n`,
  );

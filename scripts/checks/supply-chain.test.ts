/** S13 and S16: what comes from elsewhere is what was chosen: pinned, checked by its hash, mended, and listed by `npm run sbom`. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const json = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as Record<string, unknown>;

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
}
const manifest = json('package.json') as {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  allowScripts: Record<string, boolean>;
};
const lock = json('package-lock.json') as { packages: Record<string, Locked> };
const PACKAGES = Object.entries(lock.packages).filter(([path]) => path.startsWith('node_modules/'));
const nameOf = (path: string) => path.split('node_modules/').at(-1) ?? '';

describe('what is installed', () => {
  it('is named to the digit: nothing new comes in by itself', () => {
    for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }))
      expect(version, name).toMatch(/^(?:npm:[@/\w-]+@)?\d+\.\d+\.\d+$/);
  });

  it('is checked by its hash, each of all that come along', () => {
    expect(PACKAGES.length).toBeGreaterThan(300);
    for (const [path, { integrity, version }] of PACKAGES) {
      expect(integrity, path).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/);
      expect(version, path).toMatch(/^\d+\.\d+\.\d+/);
    }
  });

  it('comes from the registry: from no other address, no repository and no folder', () => {
    for (const [path, { resolved = '', link }] of PACKAGES) {
      expect(link, path).toBeUndefined();
      // Left out, it is the registry that npm is set to; written down, the public one.
      if (resolved !== '') expect(resolved, path).toMatch(/^https:\/\/registry\.npmjs\.org\//);
    }
  });

  it('runs nothing while it is installed, but for what is named', () => {
    const running = PACKAGES.filter(([, one]) => one.hasInstallScript).map(([path]) => nameOf(path));
    // The file watcher of the build tool on macOS: not installed anywhere else.
    const onMacOnly = ['fsevents'];
    expect([...new Set(running)].filter((name) => !onMacOnly.includes(name)).sort()).toEqual(
      Object.keys(manifest.allowScripts).sort(),
    );
  });
});

/**
 * The first versions without the weaknesses that are known, of what stands at the border or reads what others send. Raise them with
 * each advisory; never lower them. next and react stand in hardening.test.ts.
 */
const AT_LEAST: Readonly<Record<string, string>> = {
  // A reply could reach Array.prototype (MOVED with a slot of its own choosing).
  ioredis: '6.0.0',
  // Sign-in.
  'openid-client': '6.8.9',
  '@node-rs/argon2': '2.2.1',
  // Mails of alerts.
  nodemailer: '10.6.0',
  zod: '4.6.7',
  pino: '10.4.0',
};

it.each(Object.entries(AT_LEAST))('%s is at least %s, wherever it is installed', (name, floor) => {
  const found = PACKAGES.filter(([path]) => nameOf(path) === name);
  expect(found.length).toBeGreaterThan(0);
  for (const [path, { version = '' }] of found)
    expect(
      version.localeCompare(floor, 'en', { numeric: true }),
      `${path} ${version}`,
    ).toBeGreaterThanOrEqual(0);
});

it('npm run sbom lists all that a console needs, with hashes, and nothing that only tests need', () => {
  const { sbom = '' } = json('package.json').scripts as Record<string, string>;
  expect(sbom).toBe('node scripts/sbom.mjs');
  const text = execFileSync(process.execPath, ['scripts/sbom.mjs'], {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: 30_000,
    maxBuffer: 16 * 1024 * 1024,
  });
  const bom = JSON.parse(text) as {
    bomFormat: string;
    components: { name: string; version: string; purl: string; hashes: { alg: string; content: string }[] }[];
  };
  expect(bom.bomFormat).toBe('CycloneDX');
  const listed = new Map(bom.components.map((one) => [one.name, one]));
  for (const [name, version] of Object.entries(manifest.dependencies))
    expect(listed.get(name)?.version, name).toBe(version);
  for (const { name, hashes, purl } of bom.components) {
    expect(hashes[0]?.alg, name).toBe('SHA-512');
    expect(hashes[0]?.content, name).toMatch(/^[0-9a-f]{128}$/);
    expect(purl).toMatch(/^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@\d/);
  }
  expect(bom.components.length).toBeGreaterThan(Object.keys(manifest.dependencies).length);
  for (const name of ['vitest', 'oidc-provider', 'playwright']) expect(listed.has(name), name).toBe(false);
}, 60_000);

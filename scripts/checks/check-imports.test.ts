import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { checkImports } from './check-imports.mjs';
import { scanImports } from './import-graph.mjs';

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

/** What the check says about a project of these files. */
function problemsIn(files: Record<string, string>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'redrive-imports-'));
  roots.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return checkImports(root).problems;
}

describe('who may import whom', () => {
  it('says where, what, and what is allowed instead', () => {
    const problems = problemsIn({
      'lib/format/a.ts': "import { x } from './b';\nimport { y } from '@/lib/broker/redis/redis-keys';\n",
      'lib/format/b.ts': 'export const x = 1;',
      'lib/broker/redis/redis-keys.ts': 'export const y = 1;',
    });
    expect(problems).toEqual([
      'lib/format/a.ts:2 imports "@/lib/broker/redis/redis-keys", but lib/format may import only its own folder, diff.',
    ]);
  });

  it.each([
    ['lib/broker/redis/a.ts', '../shards/b'],
    ['lib/broker/queues/a.ts', '../jobs/b'],
    ['lib/broker/shards/a.ts', '../access/b'],
    ['lib/broker/operations/a.ts', '@/lib/broker'],
    ['lib/broker/cellar/a.ts', '../redis/b'],
    ['lib/broker/operations/kinds/a.ts', '../store/b'],
    ['lib/broker/operations/preview/a.ts', '@/lib/broker/operations/runner/b'],
    ['lib/broker/operations/cellar/a.ts', '../rules/b'],
  ])('in the broker, %s may not import %s, not even its types', (file, specifier) => {
    expect(problemsIn({ [file]: `import type { x } from '${specifier}';` })).toHaveLength(1);
  });

  it.each([
    ['lib/server/http/a.ts', '../authentication/b'],
    ['lib/server/authentication/a.ts', '../authorization/b'],
    ['lib/server/authorization/a.ts', '@/lib/server/live/b'],
    ['lib/server/live/a.ts', '../background/b'],
    ['lib/server/background/a.ts', '../authorized-broker/b'],
    ['lib/server/authorized-broker/a.ts', '../routes/b'],
    ['lib/server/authorization/a.ts', '../alerts/b'],
    ['lib/server/settings/a.ts', '../environment'],
    ['lib/server/environment.ts', './http/b'],
    ['lib/server/cellar/a.ts', '../environment'],
  ])('in the server, %s may not import %s, not even its types', (file, specifier) => {
    expect(problemsIn({ [file]: `import type { x } from '${specifier}';` })).toHaveLength(1);
  });

  it('lets rooms of the server import the floors below, and its tests all of it', () => {
    const files = {
      'lib/server/start/a.ts': "import '../routes/a';",
      'lib/server/routes/a.ts': "import '../authorized-broker/a';\nimport '../http/a';",
      'lib/server/http/a.ts': "import '../environment';",
      'lib/server/environment.ts': "import './settings/a';\nimport './console-log';",
      'lib/server/http/a.test.ts': "import '../authentication/a';",
    };
    expect(problemsIn(files)).toEqual([]);
  });

  it('lets rooms of the broker import the floors below, and its tests all of it', () => {
    const files = {
      'lib/broker/open-broker.ts': "import './operations/a';",
      'lib/broker/operations/a.ts': "import '../search/a';\nimport '../lua.generated';",
      'lib/broker/search/a.ts': "import '../redis/a';",
      'lib/broker/redis/a.test.ts': "import '@/lib/broker/index';",
    };
    expect(problemsIn(files)).toEqual([]);
  });

  it.each([
    ['lib/broker/queues/a.ts', '@/lib/contract/lab/b'],
    ['lib/broker/open-broker.ts', '@/lib/lab/b'],
    ['lib/server/live/a.ts', '@/lib/lab/b'],
    ['lib/contract/live/a.ts', '../lab/b'],
    ['lib/browser/live/a.ts', '@/lib/contract/lab/b'],
    ['components/workers/a.tsx', '@/lib/contract/lab/b'],
    ['lib/contract/a.ts', 'ioredis'],
    ['lib/format/a.ts', '@/lib/contract/x'],
    ['lib/broker/a.ts', 'next/server'],
    ['lib/broker/a.ts', '../server/x'],
    ['lib/worker/a.ts', 'ioredis'],
    ['lib/browser/a.ts', '@/lib/broker/x'],
    ['lib/browser/a.ts', 'node:fs'],
    ['components/ui/a.tsx', '@/lib/contract/x'],
    ['components/ui/a.tsx', 'ioredis'],
    ['components/queues/a.tsx', '@/components/dead-letters/x'],
    ['components/queues/a.tsx', '@/components/shell/x'],
    ['components/queues/a.tsx', '../../lib/server/x'],
    ['components/queues/a.tsx', 'pino'],
    ['app/page.tsx', '@/lib/broker/x'],
    ['app/api/v1/queues/route.ts', 'ioredis'],
    ['app/api/v1/queues/route.ts', '@/lib/server/console-broker'],
    ['app/api/v1/stream/route.ts', '@/lib/server/live/live-hub'],
    ['app/page.tsx', '@/testing/worlds/redis-server'],
    ['worker/index.ts', '@/lib/server/x'],
    ['lib/server/a.ts', '@/testing/worlds/redis-server'],
    ['proxy.ts', '@/lib/broker/x'],
  ])('%s may not import %s', (file, specifier) => {
    expect(problemsIn({ [file]: `import x from '${specifier}';` })).toHaveLength(1);
  });

  it.each([
    ['lib/contract/a.ts', 'zod'],
    ['lib/broker/a.ts', 'node:crypto'],
    ['lib/server/a.ts', 'next/headers'],
    ['lib/browser/a.ts', '@tanstack/react-query'],
    ['components/ui/a.tsx', '@/lib/format/date-time'],
    ['components/queues/a.tsx', '@/components/ui/controls/button'],
    ['components/queues/a.tsx', '@/components/queues/row'],
    ['components/queues/a.tsx', 'next/link'],
    ['app/layout.tsx', '@/components/shell/frame'],
    ['app/layout.tsx', './globals.css'],
    ['lib/format/a.test.ts', '@/testing/poll'],
    ['app/api/a.route.test.ts', '@/lib/broker/x'],
    ['worker/index.ts', '@/lib/worker/claim/claim-pool'],
    ['e2e/a.spec.ts', '@/lib/broker/x'],
  ])('%s may import %s', (file, specifier) => {
    expect(problemsIn({ [file]: `import x from '${specifier}';` })).toEqual([]);
  });

  it('sees every way to import', () => {
    const ways = [
      "import 'pino'",
      "export * from 'pino'",
      "const x = await import('pino')",
      "require('pino')",
    ];
    for (const way of ways) expect(problemsIn({ 'lib/format/a.ts': way })).toHaveLength(1);
  });

  it('wants every folder in the table', () => {
    expect(problemsIn({ 'utils/a.ts': '' })[0]).toMatch(/^utils\/a\.ts:1 is in no folder of the table/);
  });
});

describe('import cycles', () => {
  it('names every file of the cycle, once', () => {
    const problems = problemsIn({
      'lib/format/a.ts': "import { b } from './b';",
      'lib/format/b.ts': "\nimport { c } from '@/lib/format/c';",
      'lib/format/c.ts': "export { a } from './a.js';",
    });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain('lib/format/a.ts → lib/format/b.ts → lib/format/c.ts → lib/format/a.ts');
  });

  it.each(["import type { B } from './b';", "import { type B } from './b';"])('counts %s', (line) => {
    const files = { 'lib/format/a.ts': line, 'lib/format/b.ts': "import type { A } from './a';" };
    expect(problemsIn(files)).toHaveLength(1);
  });
});

describe('reading imports', () => {
  it('ignores comments, strings and regular expressions', () => {
    const source = [
      "// import a from 'no';",
      "/* import b from 'no'; */",
      'const text = "import c from \'no\'";',
      'const quote = /[\'"`]/g;',
      'const t = `it is\nimport d from "no"`;',
      "import {\n  e,\n  f as g,\n} from 'yes';",
    ].join('\n');
    expect(scanImports(source)).toEqual([{ specifier: 'yes', line: 10 }]);
  });
});

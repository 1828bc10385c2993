/** docs/deploy/redis-checks.md lists every check; `vitest -u` writes its table anew. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { REDIS_CHECKS } from './check-redis';

const PAGE = join(import.meta.dirname, '../../../../docs/deploy/redis-checks.md');

it('docs/deploy/redis-checks.md has a row for each check', async () => {
  const [intro = '', rest = ''] = readFileSync(PAGE, 'utf8').split('## The checks\n');
  const after = rest.includes('\n## ') ? rest.slice(rest.indexOf('\n## ')) : '';
  const rows = REDIS_CHECKS.map(({ title, topic, why }) => `| ${title} | ${topic} | ${why} |`);
  const table = ['| check | subject | why it matters |', '|---|---|---|', ...rows].join('\n');
  await expect(`${intro}## The checks\n\n${table}\n${after}`).toMatchFileSnapshot(PAGE);
});

it('each has an id of its own', () => {
  expect(new Set(REDIS_CHECKS.map(({ id }) => id)).size).toBe(REDIS_CHECKS.length);
});

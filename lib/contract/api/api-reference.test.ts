import { describe, expect, test } from 'vitest';
import { API, type ApiRouteName } from '.';
import { routeReference, routesBySubject } from './api-reference';
import type { RouteDescription } from './describe-route';
import { schemaText } from './schema-text';

test('a schema reads like a type', () => {
  const schema = {
    type: 'object',
    properties: {
      reason: { type: 'string', maxLength: 300 },
      rate: { anyOf: [{ type: 'number' }, { type: 'null' }], default: null },
      jobs: { type: 'array', items: { $ref: '#/components/schemas/Job' } },
      states: { type: 'array', items: { enum: ['ready', 'dead'] } },
    },
    required: ['reason', 'jobs'],
  };
  expect(schemaText(schema)).toBe(
    [
      '{',
      '  reason: string  // at most 300 characters',
      '  rate?: number | null  // default null',
      '  jobs: Job[]',
      '  states?: ("ready" | "dead")[]',
      '}',
    ].join('\n'),
  );
});

describe('the example of each route', () => {
  test.each(Object.keys(API))('%s is one that the route takes', (name) => {
    const { curl } = routeReference(name) ?? { curl: '' };
    const route: RouteDescription = API[name as ApiRouteName];
    const [, target = ''] = curl.match(/"\$REDRIVE_URL([^"]*)"/) ?? [];
    const url = new URL(target, 'http://console');
    const pattern = new RegExp(`^${route.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
    const parts = [
      [route.params, { ...pattern.exec(url.pathname)?.groups }],
      [route.query, Object.fromEntries(url.searchParams)],
      [route.body, JSON.parse(/ -d '(.*)'$/.exec(curl)?.[1] ?? '{}')],
    ] as const;
    for (const [schema, value] of parts) if (schema) expect(schema.safeParse(value).error).toBeUndefined();
    expect(curl).toContain(route.method === 'GET' ? 'curl -sS "' : `-X ${route.method}`);
  });
});

test('the reference lists every route once', () => {
  const names = routesBySubject().flatMap(({ routes }) => routes.map(({ name }) => name));
  expect(names.sort()).toEqual(Object.keys(API).sort());
  expect(routeReference('toString')).toBeUndefined();
});

import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { API } from '.';
import type { RouteDescription } from './describe-route';
import { openApiDocument } from './openapi-document';

const document = openApiDocument() as {
  paths: Record<
    string,
    Record<string, { operationId: string; parameters: { name: string; in: string }[]; security: object[] }>
  >;
  webhooks: {
    alert: {
      post: { parameters: { name: string }[]; requestBody: { content: Record<string, { schema: unknown }> } };
    };
  };
  components: { schemas: Record<string, unknown>; securitySchemes: Record<string, unknown> };
};

test('the description is valid OpenAPI 3.1, and each reference leads to a schema', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
  const references = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g);
  const names = new Set([...references].map(([, name = '']) => name));
  expect([...names].filter((name) => !Object.hasOwn(document.components.schemas, name))).toEqual([]);
  expect(names.size).toBeGreaterThan(50);
});

test('each route is in it with its own parameters', () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  expect(operations.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(API).sort());
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, { parameters }] of Object.entries(methods)) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(
        parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name),
        `${method} ${path}`,
      ).toEqual(inPath);
    }
});

test('the message to a webhook is in it, with its headers', () => {
  const { requestBody, parameters } = document.webhooks.alert.post;
  expect(requestBody.content['application/json']?.schema).toEqual({
    $ref: '#/components/schemas/AlertWebhook',
  });
  expect(parameters.map(({ name }) => name)).toEqual([
    'Redrive-Message',
    'Redrive-Timestamp',
    'Redrive-Signature',
  ]);
});

test('each summary is one sentence in the imperative, without a full stop', () => {
  for (const { summary } of Object.values(API) as RouteDescription[])
    expect(summary).toMatch(/^[A-Z].*[^.]$/);
});

test('each route names the ways to sign in that it accepts, and no others', () => {
  const securityOf = (name: keyof typeof API) => {
    const { path, method } = API[name];
    return document.paths[path]?.[method.toLowerCase()]?.security;
  };
  expect(securityOf('listQueues')).toEqual([{ token: [] }, { session: [] }]);
  expect(securityOf('createToken')).toEqual([{ session: [] }]);
  expect(securityOf('claimJobs')).toEqual([{ token: [] }]);
  expect(securityOf('signIn')).toEqual([]);
  for (const methods of Object.values(document.paths))
    for (const { security } of Object.values(methods))
      for (const name of security.flatMap(Object.keys))
        expect(document.components.securitySchemes).toHaveProperty(name);
});

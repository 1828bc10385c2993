/** The OpenAPI 3.1 description, made from the table of routes and the very schemas that check requests and replies. */
import { z } from 'zod';
import { PERMISSION_HINTS } from '../access/grant-scopes';
import { webhookMessageSchema } from '../alerts/webhook-message';
import { problemSchema } from '../parse-or-throw';
import { ERROR_TABLE } from '../redrive-error';
import { API_GROUPS } from '.';
import { COMPONENT_SCHEMAS } from './component-schemas';
import { credentialsOf, isContent, type RouteDescription } from './describe-route';
import { openApiWebhooks } from './openapi-webhook';
import { routeErrors } from './route-errors';

type JsonSchema = z.core.JSONSchema.BaseSchema;
type Json = Record<string, unknown>;

const COMPONENTS = '#/components/schemas/';

const DESCRIPTION = `Everything the console of Redrive does, for programs. Programs sign in with an API token
(\`Authorization: Bearer rdt_…\`). A change has \`Content-Type: application/json\`; with an \`Idempotency-Key\` it can be sent again.
Users, sessions and tokens are managed by a user who signed in, not by a token. With AUTH=none no request needs credentials.
Every error is a problem document (RFC 9457). New members may be added to replies at any time.`;

/** @param basePath the path below which the console is served; '' at the root of its host */
export function openApiDocument(basePath = ''): Json {
  const paths: Record<string, Json> = {};
  for (const [tag, routes] of Object.entries(API_GROUPS))
    for (const [name, route] of Object.entries(routes) as [string, RouteDescription][])
      paths[route.path] = {
        ...paths[route.path],
        [route.method.toLowerCase()]: operationOf(name, tag, route),
      };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Redrive',
      version: '1',
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: basePath || '/' }],
    tags: Object.keys(API_GROUPS).map((name) => ({ name })),
    paths,
    webhooks: openApiWebhooks(referenceTo(webhookMessageSchema)),
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'An API token of the console.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-redrive',
          description:
            'Of a user who signed in; `redrive` where the console answers http; below a path it is `__Secure-redrive` and the path with dots.',
        },
      },
      schemas: componentSchemas(),
    },
  };
}

function operationOf(name: string, tag: string, route: RouteDescription): Json {
  const { method, permission, params, query, body, status = 200, okIf } = route;
  return {
    operationId: name,
    summary: route.summary,
    tags: [tag],
    // Either of them; none: a request needs no credentials.
    security: credentialsOf(route).map((name) => ({ [name]: [] })),
    'x-permission': permission,
    ...(permission in PERMISSION_HINTS
      ? {
          description: `Needs the permission \`${permission}\` (${PERMISSION_HINTS[permission as keyof typeof PERMISSION_HINTS]}).`,
        }
      : {}),
    parameters: [
      ...parametersOf(params, 'path'),
      ...parametersOf(query, 'query'),
      ...(method === 'GET' ? [] : [IDEMPOTENCY_KEY]),
    ],
    ...(body
      ? { requestBody: { required: true, content: { 'application/json': { schema: requestSchema(body) } } } }
      : {}),
    responses: {
      [status]: { description: 'Success', content: replyContent(route) },
      ...(okIf ? { 200: { description: `If ${okIf}`, content: replyContent(route) } } : {}),
      ...problems(route),
    },
  };
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'The same for each sending of one request: it then takes effect once.',
  schema: { type: 'string', minLength: 1, maxLength: 200 },
};

function parametersOf(schema: z.ZodType | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = requestSchema(schema);
  return Object.entries(properties).map(([name, part]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: part,
  }));
}

function replyContent({ reply }: RouteDescription): Json {
  if (!isContent(reply)) return { 'application/json': { schema: referenceTo(reply) } };
  const { content, line } = reply;
  // As later versions of OpenAPI read the schema of such a file: all its lines are one array.
  if (line)
    return {
      [content.join()]: { schema: { type: 'array', items: referenceTo(line), description: 'One a line' } },
    };
  return Object.fromEntries(
    content.map((type) => [type, { schema: { type: type === 'application/json' ? 'object' : 'string' } }]),
  );
}

/** By status, with the codes that come with it. */
function problems(route: RouteDescription): Json {
  const content = { 'application/problem+json': { schema: referenceTo(problemSchema) } };
  const codes = routeErrors(route);
  return Object.fromEntries(
    [...new Set(codes.map((code) => ERROR_TABLE[code].status))].map((status) => {
      const these = codes.filter((code) => ERROR_TABLE[code].status === status);
      return [
        status,
        { description: these.map((code) => `\`${code}\`: ${ERROR_TABLE[code].title}`).join('. '), content },
      ];
    }),
  );
}

const requestSchema = (schema: z.ZodType): JsonSchema =>
  withoutSchemaUri(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));

/** Of all named replies. They refer to each other by name. */
function componentSchemas(): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(COMPONENT_SCHEMAS)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io: 'output',
    unrepresentable: 'any',
    uri: (id) => `${COMPONENTS}${id}`,
    // A client that refuses unknown members would break with the next version.
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, withoutSchemaUri(schema)]));
}

const NAME_OF = new Map<z.ZodType, string>(
  Object.entries(COMPONENT_SCHEMAS).map(([name, schema]) => [schema, name]),
);

function referenceTo(schema: z.ZodType): Json {
  const name = NAME_OF.get(schema);
  if (name === undefined) throw new Error('A reply has no name: add its schema to COMPONENT_SCHEMAS.');
  return { $ref: `${COMPONENTS}${name}` };
}

function withoutSchemaUri(schema: JsonSchema): JsonSchema {
  const { $schema: _uri, $id: _id, ...rest } = schema;
  return rest;
}

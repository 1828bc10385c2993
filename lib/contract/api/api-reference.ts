/** What the reference page shows of a route, read from the OpenAPI description. */

import { API, API_GROUPS, type ApiRouteName } from '.';
import { type Credential, credentialsOf, type RouteDescription } from './describe-route';
import { exampleValue } from './example-value';
import { openApiDocument } from './openapi-document';
import { constraintText, type JsonSchema, referencedNames, schemaText } from './schema-text';

interface Operation {
  readonly parameters: readonly {
    name: string;
    in: string;
    required: boolean;
    description?: string;
    schema: JsonSchema;
  }[];
  readonly requestBody?: { content: { 'application/json': { schema: JsonSchema } } };
  readonly responses: Record<
    string,
    { description: string; content: Record<string, { schema: JsonSchema }> }
  >;
}

export interface RouteReference {
  readonly route: RouteDescription;
  readonly parameters: readonly {
    name: string;
    place: string;
    required: boolean;
    type: string;
    note: string;
  }[];
  readonly body: string | null;
  readonly status: string;
  readonly reply: string;
  /** The named schemas that the reply is made of. */
  readonly schemas: readonly { name: string; text: string }[];
  readonly errors: readonly { status: string; text: string }[];
  readonly curl: string;
}

let document: {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema> };
};

/** Undefined: there is no such route. */
export function routeReference(name: string): RouteReference | undefined {
  const route: RouteDescription | undefined = Object.hasOwn(API, name)
    ? API[name as ApiRouteName]
    : undefined;
  if (!route) return undefined;
  document ??= openApiDocument() as typeof document;
  const operation = document.paths[route.path]?.[route.method.toLowerCase()];
  if (!operation) return undefined;
  const status = String(route.status ?? 200);
  const replies = Object.entries(operation.responses[status]?.content ?? {});
  return {
    route,
    parameters: operation.parameters.map(
      ({ name: parameter, in: place, required, description = '', schema }) => ({
        name: parameter,
        place,
        required,
        type: schemaText(schema),
        note: [description, constraintText(schema)].filter(Boolean).join('; '),
      }),
    ),
    body: operation.requestBody ? schemaText(operation.requestBody.content['application/json'].schema) : null,
    status: route.okIf ? `${status}; 200 if ${route.okIf}` : status,
    reply: replies.map(([type, { schema }]) => `${type}: ${schemaText(schema)}`).join('\n'),
    schemas: namedSchemas(replies.map(([, { schema }]) => schema)),
    errors: Object.entries(operation.responses)
      .filter(([code]) => Number(code) >= 400)
      .map(([code, { description }]) => ({ status: code, text: description.replaceAll('`', '') })),
    curl: curlExample(route, operation),
  };
}

/** With those that they refer to. */
function namedSchemas(schemas: readonly JsonSchema[]): { name: string; text: string }[] {
  const names = new Set<string>();
  const add = (schema: unknown) => {
    for (const name of referencedNames(schema)) {
      if (names.has(name)) continue;
      names.add(name);
      add(document.components.schemas[name]);
    }
  };
  add(schemas);
  return [...names].map((name) => ({ name, text: schemaText(document.components.schemas[name] ?? true) }));
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const CREDENTIAL_HEADERS: Readonly<Record<Credential, string>> = {
  token: '-H "authorization: Bearer $REDRIVE_TOKEN"',
  session: '-H "cookie: $REDRIVE_COOKIE"',
};

/** Of the route with required values only. */
function curlExample(route: RouteDescription, operation: Operation): string {
  const { method, path, example } = route;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const schema = operation.parameters.find((parameter) => parameter.name === name)?.schema;
    return String(exampleValue(schema ?? true, name));
  });
  const needed = operation.parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  const asked = Object.fromEntries(needed.map(({ name, schema }) => [name, exampleValue(schema, name)]));
  const query = new URLSearchParams(
    Object.entries(method === 'GET' ? { ...asked, ...(example as object) } : asked).map(([name, value]) => [
      name,
      String(value),
    ]),
  );
  const body = operation.requestBody?.content['application/json'].schema;
  return [
    `curl -sS${method === 'GET' ? '' : ` -X ${method}`} "$REDRIVE_URL${filled}${query.size > 0 ? `?${query}` : ''}"`,
    ...credentialsOf(route)
      .slice(0, 1)
      .map((credential) => CREDENTIAL_HEADERS[credential]),
    ...(method === 'GET' ? [] : ["-H 'content-type: application/json'"]),
    ...(body ? [`-d ${quoted(JSON.stringify(example ?? exampleValue(body)))}`] : []),
  ].join(' \\\n  ');
}

/** Every route by its subject, in the order of the description. */
export const routesBySubject = (): {
  subject: string;
  routes: { name: string; route: RouteDescription }[];
}[] =>
  Object.entries(API_GROUPS).map(([subject, routes]) => ({
    subject,
    routes: (Object.entries(routes) as [string, RouteDescription][]).map(([name, route]) => ({
      name,
      route,
    })),
  }));

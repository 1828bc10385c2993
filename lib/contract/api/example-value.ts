/** A value that fits a JSON Schema, with required members only: for the examples of the reference page. Pure. */
import type { JsonSchema } from './schema-text';

export function exampleValue(schema: JsonSchema | boolean, name = 'value'): unknown {
  if (typeof schema === 'boolean') return {};
  if ('const' in schema) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices?.[0]) return exampleValue(choices[0], name);
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
  if (type === 'object') return exampleObject(schema);
  if (type === 'array') return [exampleValue(schema.items ?? true, name)];
  if (type === 'string') return EXAMPLES[name] ?? 'example';
  if (type === 'number' || type === 'integer') return Math.max(1, schema.minimum ?? 1);
  return type === 'boolean' ? false : {};
}

/** Of values that must have a form of their own. */
const EXAMPLES: Readonly<Record<string, string>> = {
  queue: 'mail',
  id: 'example-1',
  group: '0123456789ab',
  token: '1-AAAAAAAAAAAAAAAA',
  jobType: 'mail.send',
  reason: 'provider is back',
  q: 'type:mail.*',
};

function exampleObject({ properties = {}, required = [] }: JsonSchema): Record<string, unknown> {
  const members = Object.entries(properties).filter(([name]) => required.includes(name));
  return Object.fromEntries(members.map(([name, schema]) => [name, exampleValue(schema, name)]));
}

/** A JSON Schema as text that reads like a TypeScript type: for the reference page. Pure. */

export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly items?: JsonSchema | boolean;
  readonly prefixItems?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly description?: string;
}

const INDENT = '  ';

/** Lines of at most one member each; a reference is the name of its schema. */
export function schemaText(schema: JsonSchema | boolean, indent = ''): string {
  if (typeof schema === 'boolean') return 'any';
  if (schema.$ref !== undefined) return nameIn(schema.$ref);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map((choice) => schemaText(choice, indent)).join(' | ');
  if (schema.allOf) return schema.allOf.map((part) => schemaText(part, indent)).join(' & ');
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  return types.length === 0 ? 'any' : types.map((type) => typeText(type, schema, indent)).join(' | ');
}

function typeText(type: string, schema: JsonSchema, indent: string): string {
  if (type === 'array') return arrayText(schema, indent);
  return type === 'object' ? objectText(schema, indent) : type;
}

function arrayText({ items = true, prefixItems }: JsonSchema, indent: string): string {
  if (prefixItems) return `[${prefixItems.map((item) => schemaText(item, indent)).join(', ')}]`;
  const item = schemaText(items, indent);
  return /[|&]/.test(item.replaceAll(/\{[\s\S]*\}/g, '')) ? `(${item})[]` : `${item}[]`;
}

function objectText({ properties, required = [], additionalProperties }: JsonSchema, indent: string): string {
  const inner = indent + INDENT;
  const lines = Object.entries(properties ?? {}).map(([name, schema]) => {
    const note = constraintText(schema);
    const optional = required.includes(name) ? '' : '?';
    return `${inner}${name}${optional}: ${schemaText(schema, inner)}${note && `  // ${note}`}`;
  });
  if (typeof additionalProperties === 'object' && properties === undefined)
    return `{ [name]: ${schemaText(additionalProperties, indent)} }`;
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n${indent}}`;
}

/** Limits and default of a value, in words; empty: none. */
export function constraintText(schema: JsonSchema): string {
  const { minimum, maximum, minLength, maxLength, maxItems } = schema;
  const isNumber = (value: number | undefined): value is number =>
    value !== undefined && Number.isSafeInteger(value);
  const between = (low: number | undefined, high: number | undefined, unit: string) => {
    const [from, to] = [
      isNumber(low) && low > -Number.MAX_SAFE_INTEGER,
      isNumber(high) && high < Number.MAX_SAFE_INTEGER,
    ];
    if (from && to) return `${low} to ${high}${unit}`;
    if (from) return `at least ${low}${unit}`;
    return to ? `at most ${high}${unit}` : '';
  };
  return [
    schema.description ?? '',
    between(minimum, maximum, ''),
    between(minLength, maxLength, ' characters'),
    between(undefined, maxItems, ' items'),
    schema.default === undefined ? '' : `default ${JSON.stringify(schema.default)}`,
  ]
    .filter(Boolean)
    .join('; ');
}

const nameIn = (reference: string): string => reference.split('/').at(-1) ?? reference;

/** Names of the schemas that a schema refers to, itself not among them. */
export function referencedNames(schema: unknown): string[] {
  const found = JSON.stringify(schema).matchAll(/"\$ref":"([^"]+)"/g);
  return [...new Set([...found].map(([, reference = '']) => nameIn(reference)))];
}

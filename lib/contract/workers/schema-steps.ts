/**
 * How much work a check of a payload against a JSON Schema is, counted before the check is made. Every worker's Redis user can write the
 * schema, and a few lines of `anyOf` and `$ref` would hold the process for minutes.
 */

/** A check with more steps is not made: some 20 ms. */
export const CHECK_STEPS_MAX = 10_000;

/** Whether a check takes at most `CHECK_STEPS_MAX` steps: a step is a schema met by a value, and each option of it counts. */
export function isCheckable(schema: object, value: unknown): boolean {
  let left = CHECK_STEPS_MAX;
  /** False: too many. */
  const visit = (at: unknown, met: unknown): boolean => {
    left -= 1;
    if (left < 0) return false;
    if (Array.isArray(at)) return at.every((option) => visit(option, met));
    if (!isObject(at)) return true;
    const { $ref, anyOf, oneOf, allOf, properties, additionalProperties } = at;
    for (const list of [at.enum, at.required]) if (Array.isArray(list)) left -= list.length;
    if (typeof $ref === 'string' && !visit(targetOf(schema, $ref), met)) return false;
    for (const options of [anyOf, oneOf, allOf])
      if (options !== undefined && !visit(options, met)) return false;
    if (Array.isArray(met)) {
      const items = [at.items, at.prefixItems, at.additionalItems].filter((one) => one !== undefined);
      return items.every((item) => met.every((element) => visit(item, element)));
    }
    if (!isObject(met)) return true;
    // A property that is missing is checked, too.
    if (isObject(properties))
      for (const [name, property] of Object.entries(properties))
        if (!visit(property, Object.hasOwn(met, name) ? met[name] : undefined)) return false;
    if (additionalProperties === undefined) return true;
    return Object.values(met).every((member) => visit(additionalProperties, member));
  };
  return visit(schema, value) && left >= 0;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What `#/$defs/name` names; undefined: nothing. */
function targetOf(root: object, ref: string): unknown {
  let target: unknown = root;
  for (const part of ref.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    target = isObject(target) && Object.hasOwn(target, name) ? target[name] : undefined;
  }
  return target;
}

/** The fields some payloads have, to offer while a path is typed; pure. */
const MOST = 60;

/** `order.items.0.sku` of each value, in the order met; keys with dots or slashes as pointers. */
export function payloadPaths(payloads: readonly string[]): string[] {
  const found = new Set<string>();
  for (const text of payloads) {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      continue;
    }
    walk(value, [], found);
    if (found.size >= MOST) break;
  }
  return [...found].slice(0, MOST);
}

function walk(value: unknown, path: readonly string[], found: Set<string>): void {
  if (found.size >= MOST || path.length > 6) return;
  if (path.length > 0) found.add(written(path));
  if (typeof value !== 'object' || value === null) return;
  const entries = Array.isArray(value)
    ? value.slice(0, 2).map((entry, i) => [String(i), entry])
    : Object.entries(value);
  for (const [key, inner] of entries) walk(inner, [...path, String(key)], found);
}

const written = (path: readonly string[]): string =>
  path.some((step) => step === '' || /[./~]/.test(step))
    ? `/${path.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`
    : path.join('.');

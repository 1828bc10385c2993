/** JSON objects in what was recorded of changes, which may be any text. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Null: the value is no object, or a list. */
export const asObject = (value: unknown): JsonObject | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;

/** Null: the text is no JSON object. */
export function jsonObject(text: string | null): JsonObject | null {
  try {
    return asObject(JSON.parse(text ?? 'null'));
  } catch {
    return null;
  }
}

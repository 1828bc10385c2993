/** Which handler runs a job: one rule for the worker that runs it and for the preview that predicts it. Pure. */

export interface HandledType {
  readonly type: string;
  readonly versions: readonly number[];
}

/** By type, then by version. */
export type HandlerTable<T> = ReadonlyMap<string, ReadonlyMap<number, T>>;

/** @param onDuplicate called with a type and version that two handlers claim; the later one counts */
export function createHandlerTable<T extends HandledType>(
  handlers: readonly T[],
  onDuplicate?: (type: string, version: number) => void,
): HandlerTable<T> {
  const table = new Map<string, Map<number, T>>();
  for (const handler of handlers) {
    const versions = table.get(handler.type) ?? new Map<number, T>();
    for (const version of handler.versions) {
      if (versions.has(version)) onDuplicate?.(handler.type, version);
      versions.set(version, handler);
    }
    table.set(handler.type, versions);
  }
  return table;
}

export const MISSING_HANDLERS = ['unknown-type', 'unknown-version'] as const;
export type MissingHandler = (typeof MISSING_HANDLERS)[number];

/** The handler of a job, or why there is none: a worker without one fails the job as `unsupported-version`. */
export function findHandler<T extends HandledType>(
  table: HandlerTable<T>,
  jobType: string,
  jobVersion: number,
): T | MissingHandler {
  const versions = table.get(jobType);
  return versions === undefined ? 'unknown-type' : (versions.get(jobVersion) ?? 'unknown-version');
}

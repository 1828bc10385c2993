/** A row of `deaths`, as lua/include/death.lua writes it. */
export interface Death {
  readonly class: string;
  readonly code: string;
  readonly group: string;
  readonly type: string;
  readonly version: number;
  readonly tenant: string;
  readonly priority: number;
  readonly attempts: number;
  /** The one that moved it to where it is, or had put it back before it died again. */
  readonly operation: string | null;
}

const ROW = /^\d+ (\S+) (\S+) (\S+) (\S+) (\d+) (\S+) (-?\d+) (\d+) (\S+)$/;

export function parseDeath(row: string): Death | null {
  const [, errorClass, code, group, type, version, tenant, priority, attempts, operation] =
    ROW.exec(row) ?? [];
  if (!errorClass || !code || !group || !type || !tenant) return null;
  return {
    class: errorClass,
    code,
    group,
    type,
    version: Number(version),
    tenant,
    priority: Number(priority),
    attempts: Number(attempts),
    operation: operation === undefined || operation === '-' ? null : operation,
  };
}

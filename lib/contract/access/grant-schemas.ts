/** Schemas of grants and scopes. */
import { z } from 'zod';
import { NAME_PATTERN } from '../name-pattern';
import { tenantIdSchema } from '../name-schemas';
import { GRANTS_MAX, ROLE_NAMES } from './grant-scopes';

/** An exact queue name, or a prefix that ends in `*`; `*` alone is every queue. Never a regular expression or a glob. */
export const queuePatternSchema = z
  .string()
  .refine(
    (text) => text === '*' || NAME_PATTERN.test(text.endsWith('*') ? text.slice(0, -1) : text),
    'must be a queue name, or the beginning of one followed by *',
  );

export const grantSchema = z.strictObject({
  role: z.enum(ROLE_NAMES),
  queues: z.array(queuePatternSchema).min(1).max(50).default(['*']),
  /** Null: all tenants. */
  tenants: z.array(tenantIdSchema).min(1).max(50).nullable().default(null),
});
export const grantsSchema = z.array(grantSchema).max(GRANTS_MAX, `at most ${GRANTS_MAX} grants`);

/** Where a permission holds: jobs of queues that fit the pattern, of any tenant (null) or of some. */
export const queueScopeSchema = z.strictObject({
  queue: queuePatternSchema,
  tenants: z.array(tenantIdSchema).min(1).nullable(),
});
export const accessScopeSchema = z.array(queueScopeSchema).max(GRANTS_MAX * 50);

/** Accepts ordinary claim options without the schema, which costs more than the claim's own work. The schema has the sentences. */
import {
  type ClaimOptions,
  claimOptionsSchema,
  type ParsedClaimOptions,
} from '@/lib/contract/jobs/claim-options';
import { CLAIM_MAX_JOBS, LEASE_DEFAULT_MS } from '@/lib/contract/jobs/job-limits';
import { NAME_PATTERN } from '@/lib/contract/name-pattern';
import { parseOrThrow } from '@/lib/contract/parse-or-throw';
import { DAY_MS } from '@/lib/contract/time-units';

const NONCE = /^[0-9A-Za-z]{8,32}$/;
const isWithin = (value: unknown, min: number, max: number): value is number =>
  Number.isInteger(value) && (value as number) >= min && (value as number) <= max;

/** @throws RedriveError VALIDATION */
export const parseClaimOptions = (input: ClaimOptions): ParsedClaimOptions =>
  fastClaimOptions(input) ?? parseOrThrow(claimOptionsSchema, input, 'claim options');

/** The options as the schema would give them back, or null: ask the schema. */
export function fastClaimOptions(input: ClaimOptions): ParsedClaimOptions | null {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return null;
  for (const field in input)
    if (
      field !== 'worker' &&
      field !== 'count' &&
      field !== 'leaseMs' &&
      field !== 'nonce' &&
      field !== 'unindexed' &&
      field !== 'woken'
    )
      return null;
  const { worker, count = 1, leaseMs = LEASE_DEFAULT_MS, nonce, unindexed = false, woken = false } = input;
  if (typeof worker !== 'string' || !NAME_PATTERN.test(worker)) return null;
  if (!isWithin(count, 1, CLAIM_MAX_JOBS) || !isWithin(leaseMs, 100, DAY_MS)) return null;
  if (nonce !== undefined && (typeof nonce !== 'string' || !NONCE.test(nonce))) return null;
  if (typeof unindexed !== 'boolean' || typeof woken !== 'boolean') return null;
  return nonce === undefined
    ? { worker, count, leaseMs, unindexed, woken }
    : { worker, count, leaseMs, nonce, unindexed, woken };
}

/** A query as text: any text that is not too long. */
import { z } from 'zod';
import { QUERY_MAX_CHARS } from './filter';

/** A query as text; see docs/search.md. Empty: everything. What it may hold is judged by `parseQuery`. */
export const queryTextSchema = z
  .string()
  .max(QUERY_MAX_CHARS, `must be at most ${QUERY_MAX_CHARS} characters`);

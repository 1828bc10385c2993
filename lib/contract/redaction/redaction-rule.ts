/** The syntax of redaction rules. */
import { z } from 'zod';
import { REDACTION_RULES_MAX } from './redaction-default';

/** Letters that say nothing alone: a name of only these would fit any name. */
const hasLetter = (rule: string) => rule.startsWith('/') || /[^*_-]/.test(rule);
/** RFC 6901: a tilde is written `~0`, a slash `~1`. */
const isPointer = (rule: string) => !rule.startsWith('/') || !/~(?![01])/.test(rule);

/**
 * `password`: a member of that name at any depth, whatever its case, `-` and `_` aside. `*token*`, `secret*`, `*key`: a `*` at either end
 * stands for any letters; nowhere else. `/card/number`: one position (RFC 6901), `/items/*` + `/price`: `*` as a whole step is any entry.
 * `/` alone: the whole payload.
 */
export const redactionRuleSchema = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(200, 'must be at most 200 characters')
  .regex(/^(\/[^\p{Cc}\p{Cs}]*|\*?[^/*\\"\s\p{Cc}\p{Cs}]+\*?)$/u, {
    message: 'must be a name (with * at its ends for any letters) or a path that begins with /',
  })
  .refine(hasLetter, 'must have a letter or digit beside - and _')
  .refine(isPointer, 'must write "~" as "~0" and "/" within a step as "~1"');
export const redactionRulesSchema = z
  .array(redactionRuleSchema)
  .max(REDACTION_RULES_MAX, `at most ${REDACTION_RULES_MAX} rules`);

/**
 * Redaction hides values of payloads. The server applies it before a payload leaves it and before it matches a query, so that a search
 * cannot guess hidden values. Names match at any depth; paths name one position. See docs/redaction.md.
 */

export {
  type HiddenValues,
  hiddenValuesOf,
  jsonWithoutHiddenValues,
  withoutHiddenValues,
} from './hidden-values';
export { isCoveredBy } from './is-covered-by';
export { mayLieInMask } from './mask-overlap';
export { maskedPatch, touchesHidden, writesMask } from './redact-patch';
export { MASK_TEXT, type RedactedText, redactText } from './redact-text';
export { hidesNothing, mentions, NO_REDACTION, type Redaction, redactionOf } from './redaction';
export { HIDE_ALL, MASK, REDACTION_DEFAULT, REDACTION_RULES_MAX } from './redaction-default';
export { redactionRuleSchema, redactionRulesSchema } from './redaction-rule';

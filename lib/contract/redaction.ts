/**
 * What of a payload is hidden. Applied on the server before a payload leaves it, and before a query is judged, so that a search is
 * no way to guess what is hidden. Names match in any depth; paths name one place. See docs/redaction.md.
 */
export { isCoveredBy } from './redact/cover';
export {
  type HiddenValues,
  hiddenValuesOf,
  jsonWithoutHiddenValues,
  withoutHiddenValues,
} from './redact/echo';
export { mayLieInMask } from './redact/overlap';
export { maskedPatch, touchesHidden, writesMask } from './redact/patch';
export {
  HIDE_ALL,
  MASK,
  REDACTION_DEFAULT,
  REDACTION_RULES_MAX,
  redactionRuleSchema,
  redactionRulesSchema,
} from './redact/rule';
export { hidesNothing, mentions, NO_REDACTION, type Redaction, redactionOf } from './redact/rules';
export { MASK_TEXT, type Redacted, redactText } from './redact/text';

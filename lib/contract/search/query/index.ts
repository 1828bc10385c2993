/** The query language: text, filters, and what they mean. See docs/search.md. */

export { type CaretToken, tokenAt } from './caret-token';
export { compareDecimals, type Decimal, parseDecimal } from './decimal';
export { FIELD_HINTS, FIELDS, type FieldName, isNameField, isNumberField, nearest } from './field-names';
export * from './filter';
export { hasTerm, termsOf, toggleTerm, withoutTerm, withTerm } from './filter-terms';
export { createMatcher, matches, type NameList, nameListsIn } from './matcher';
export { filterKey, normalise, pushNotDown, sameFilter } from './normalise-filter';
export { AGE_UNITS, parseAge, printAge } from './parse-age';
export {
  type ParsedQuery,
  parseQuery,
  parseQueryOrThrow,
  QUERY_MAX_PATH_STEPS,
  type QueryError,
} from './parse-query';
export { parseTaggedJson, payloadNeedle, type TaggedJson, valuesAt } from './payload-values';
export { printPath, printQuery, printValue, type QueryTerm } from './print-query';
export { QUERY_PARAMETER, queryFromUrl, queryToUrl } from './query-url';
export { filterInScope, scopeAsFilter } from './scope-filter';

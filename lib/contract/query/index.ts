/** The query language: text, filters, and what they mean. See docs/search.md. */
export { AGE_UNITS, parseAge, printAge } from './age';
export { type Typing, tokenAt } from './caret';
export { compareDecimals, type Decimal, parseDecimal } from './decimal';
export { FIELD_HINTS, FIELDS, type FieldName, isNameField, isNumberField, nearest } from './fields';
export * from './filter';
export { payloadNeedle, readTagged, type Tagged, valuesAt } from './json';
export { asciiLower, matches } from './matches';
export { filterKey, normalise, pushNotDown, sameFilter } from './normal';
export {
  type ParsedQuery,
  parseQuery,
  parseQueryOrThrow,
  QUERY_MAX_PATH_STEPS,
  type QueryError,
} from './parse';
export { printPath, printQuery, printValue, type Term } from './print';
export { hasTerm, termsOf, toggleTerm, withoutTerm, withTerm } from './terms';
export { QUERY_PARAMETER, queryFromUrl, queryToUrl } from './url';
export { narrowedTo, withinFilter } from './within';

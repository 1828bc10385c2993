/** What a page of the console may load and do. Nothing that is not named here. */

/**
 * The notifications' style sheet, which their library writes into the page itself. Its text is the same for everybody, so its hash
 * lets it in; the test beside this file compares it with what is installed.
 */
export const TOAST_STYLE_HASH = "'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY='";
/** Of no text: what that style sheet is for the moment before its text is put in. */
const EMPTY_STYLE_HASH = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";

/** @param {string} nonce fresh for each response @param {{dev?: boolean}} [options] */
export function contentSecurityPolicy(nonce, { dev = false } = {}) {
  return [
    "default-src 'none'",
    // React names places in the source with eval while developing, and never else.
    `script-src 'self' 'nonce-${nonce}'${dev ? " 'unsafe-eval'" : ''}`,
    // While developing, style sheets are written into the page.
    `style-src 'self' ${dev ? "'unsafe-inline'" : `'nonce-${nonce}' ${TOAST_STYLE_HASH} ${EMPTY_STYLE_HASH}`}`,
    // Widths of bars and places in diagrams are style attributes of what the server renders. They can move and colour things;
    // they load nothing, since images and fonts come from here only.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${dev ? ' ws: wss:' : ''}`,
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ');
}

/**
 * Which addresses there can be at all. Frameworks and proxies disagree about odd ones, and doors have been opened by that; names
 * here are letters, digits and a few signs, so odd addresses are simply not there.
 */

const TARGET_MAX_CHARS = 8_192;
/** Of Next's own addresses only the built files are served: no image service, no data files, no maps of sources. */
const FRAMEWORK = /^\/(_next(\/|$)|__next)/;
const BUILT_FILE = /^\/_next\/static\/[A-Za-z0-9_~.()[\]/-]+\.(js|css|woff2?|ttf|png|svg|ico|jpg|json|txt)$/;
/** A person's id is the identity provider's word, and that may have anything in it. */
const FREE_NAMES = /^\/api\/v1\/access\/people\/[^/]+$/;

/** @param {string} target */
export const pathOf = (target) => {
  const cut = target.search(/[?#]/);
  return cut < 0 ? target : target.slice(0, cut);
};

/**
 * @param {string} target as the request line has it @param {{dev?: boolean}} [options]
 * @returns {{status: 400 | 404 | 414, detail: string} | null} null: go on
 */
export function refusedTarget(target, { dev = false } = {}) {
  // `GET http://elsewhere/`, `OPTIONS *`: for proxies, and this is none.
  if (!target.startsWith('/')) return { status: 400, detail: 'The address must begin with a slash.' };
  if (target.length > TARGET_MAX_CHARS)
    return { status: 414, detail: `The address is longer than ${TARGET_MAX_CHARS} characters.` };
  if (/[^\x21-\x7e]/.test(target))
    return { status: 400, detail: 'The address holds characters that must be written as codes (%C3%A9).' };
  const path = target.includes('#') ? null : plainPath(pathOf(target));
  if (path === null || (!dev && FRAMEWORK.test(path) && !BUILT_FILE.test(path)))
    return { status: 404, detail: 'There is nothing at this address.' };
  return null;
}

/** As it reads once its codes are resolved; null for what no address here looks like. @param {string} path @returns {string | null} */
function plainPath(path) {
  if (path === '/') return path;
  if (path.includes('\\')) return null;
  const isFree = FREE_NAMES.test(path);
  const segments = path.slice(1).split('/');
  // One slash at the end is what people type, and is led to the address without.
  if (segments.length > 1 && segments.at(-1) === '') segments.pop();
  const names = segments.map((segment) => nameOf(segment, isFree));
  return names.includes(null) ? null : `/${names.join('/')}`;
}

/** @param {string} segment @param {boolean} isFree @returns {string | null} */
function nameOf(segment, isFree) {
  let name;
  try {
    name = decodeURIComponent(segment);
  } catch {
    return null;
  }
  // Also .git, .env, and the way up.
  if (name === '' || name.startsWith('.')) return null;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const odd = isFree ? /\u0000/ : /[\u0000-\u001f\u007f\\/]/;
  return odd.test(name) ? null : name;
}

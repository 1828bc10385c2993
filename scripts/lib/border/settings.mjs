/**
 * What the border goes by, out of the environment. lib/server/env.ts judges the same variables, all at once and in words, before
 * the console listens: what is read here has passed there, and anything odd is taken for the stricter.
 */
import { httpUrl } from '../net.mjs';

/**
 * @typedef {object} Settings
 * @property {string} host where to listen
 * @property {number} port
 * @property {boolean} dev
 * @property {boolean} tls whether people reach it over https
 * @property {string} origin what people type, scheme and all
 * @property {ReadonlySet<string>} hosts names it answers to besides those of this machine, in lower case, with a port or for any
 * @property {number} trustProxy how many proxies are in front
 * @property {number} pageRateFactor multiplies how often one place may ask for pages; 0: as often as it likes
 * @property {boolean} hstsSubdomains whether the names below this one have TLS, too
 */

/** @param {Record<string, string | undefined>} env @param {{host: string, port: number, dev?: boolean}} where @returns {Settings} */
export function borderSettings(env, { host, port, dev = false }) {
  const publicUrl = urlOf(env.PUBLIC_URL);
  const tls = publicUrl?.protocol === 'https:';
  const hosts = new Set((env.REDRIVE_ALLOWED_HOSTS ?? '').split(',').flatMap(nameOf));
  if (publicUrl) hosts.add(publicUrl.host);
  return {
    host,
    port,
    dev,
    tls,
    origin: publicUrl?.origin ?? httpUrl(host, port),
    hosts,
    trustProxy: countOf(env.TRUST_PROXY),
    pageRateFactor: dev || env.AUTH?.trim() === 'none' ? 0 : factorOf(env.REDRIVE_RATE_FACTOR),
    hstsSubdomains: env.REDRIVE_HSTS === 'subdomains',
  };
}

/** @param {string | undefined} text */
function urlOf(text) {
  try {
    return text ? new URL(text) : null;
  } catch {
    return null;
  }
}

/** @param {string} text @returns {string[]} */
const nameOf = (text) => (text.trim() ? [text.trim().toLowerCase()] : []);

/** @param {string | undefined} text */
function countOf(text) {
  const count = Number(text ?? 0);
  return Number.isInteger(count) && count > 0 ? count : 0;
}

/** @param {string | undefined} text */
function factorOf(text) {
  const factor = Number(text || 1);
  return factor >= 0.1 && factor <= 1_000 ? factor : 1;
}

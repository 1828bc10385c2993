/**
 * Links that open a dialog as it is filled in. The dialog's name and target stand in the query; what is filled in stands behind the `#`, which
 * reaches no server and no log. A link is somebody's text: only values of the type that the dialog has are taken from it.
 */
export type Filled = Readonly<Record<string, unknown>>;

/** Chats and mail programs cut longer links. */
const LINK_MAX_CHARS = 8_000;
const TEXT_MAX_CHARS = 4_000;

export interface DialogTarget {
  /** The page; left out: the open one. */
  readonly path?: string;
  /** As the page calls it in its address; left out: as the address has it now. */
  readonly dialog?: string;
  /** What it is about, where the page has several. */
  readonly of?: string;
}

/** @param href the address of the open page */
export function dialogLink(href: string, { path, dialog, of }: DialogTarget, filled: Filled): string {
  const url = new URL(path ?? href, href);
  if (dialog !== undefined) url.searchParams.set('dialog', dialog);
  if (of !== undefined) url.searchParams.set('of', of);
  const name = url.searchParams.get('dialog');
  url.hash = '';
  if (name === null || Object.keys(filled).length === 0) return url.href;
  const whole = `${url.href}#${name}=${encodeURIComponent(JSON.stringify(filled))}`;
  return whole.length > LINK_MAX_CHARS ? url.href : whole;
}

/** What the address fills into the dialog that it names; nothing where it is not readable. */
export function readFilled(href: string): Filled {
  const { searchParams, hash } = new URL(href);
  const name = searchParams.get('dialog');
  if (name === null || !hash.startsWith(`#${name}=`)) return {};
  try {
    const value: unknown = JSON.parse(decodeURIComponent(hash.slice(name.length + 2)));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Filled) : {};
  } catch {
    return {};
  }
}

/** The values of the link that these have, too, with the same simple type. */
export function readValues<Values extends object>(values: Values, filled: Filled): Partial<Values> {
  const taken = Object.entries(values).flatMap(([name, value]) => {
    const given = Object.hasOwn(filled, name) ? filled[name] : undefined;
    const isTaken =
      typeof given === typeof value &&
      (typeof given === 'boolean' || (typeof given === 'string' && given.length <= TEXT_MAX_CHARS));
    return isTaken ? [[name, given]] : [];
  });
  return Object.fromEntries(taken);
}

/** The present values with those of the link. */
export const fillIn = <Values extends object>(values: Values, filled: Filled): Values => ({
  ...values,
  ...readValues(values, filled),
});

export const filledText = (filled: Filled, name: string): string =>
  fillIn({ [name]: '' }, filled)[name] ?? '';

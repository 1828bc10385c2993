/** Takes out of the address what a link filled into a dialog (dialog-link.ts): it belongs to one opening of it. */
export function forgetFilled(): void {
  const { pathname, search, hash } = window.location;
  if (/^#[\w-]+=%7B/.test(hash)) window.history.replaceState(null, '', `${pathname}${search}`);
}

/** @throws Error of the browser: it does not allow copying, as on plain http from another machine */
export async function copyText(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
}

import { AUDIT_CHANGE_MAX_BYTES } from '@/lib/contract/audit';

/** What of a change goes into a record: cut to size, between letters. */
export function changeText(text: string | undefined | null): string {
  if (!text) return '';
  if (Buffer.byteLength(text) <= AUDIT_CHANGE_MAX_BYTES) return text;
  const cut = Buffer.from(text).subarray(0, AUDIT_CHANGE_MAX_BYTES).toString('utf8');
  return `${cut.replace(/�+$/, '')}…`;
}

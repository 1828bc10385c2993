import type { Group } from '@/lib/contract/search/search-schemas';

/** The name a user gave, else the message; a group without either shows its code. */
export const groupTitle = ({ name, message, code }: Pick<Group, 'name' | 'message' | 'code'>): string =>
  name ?? message ?? code;

import { type ClassValue, clsx } from 'clsx';

/**
 * Classes of one kind, of which the last wins. Of our own, because a library that knows every class of Tailwind would be a tenth of the
 * script that each page begins with; `cn.test.ts` compares them for all classes of the console.
 */
const KINDS: readonly (readonly [kind: string, names: RegExp])[] = [
  ['display', /^(block|inline(-block|-flex)?|flex|grid|hidden|table(-caption)?|contents)$/],
  ['position', /^(static|fixed|absolute|relative|sticky)$/],
  ['font-size', /^text-(\d?x[sl]|2xs|sm|base|lg)$/],
  ['text-align', /^text-(left|center|right)$/],
  ['color', /^text-(?!wrap|balance|pretty)/],
  ['weight', /^font-(normal|medium|semibold|bold)$/],
  ['family', /^font-(mono|sans)$/],
  ['bw', /^border(-\d)?$/],
  ['$1', /^border-([lrtb])(-\d)?$/],
  ['$1c', /^border-([lrtb])-/],
  ['color-of-border', /^border-(?!spacing|dashed|separate)/],
  ['rounded-b', /^rounded-b/],
  ['rounded', /^rounded(-|$)/],
  ['background', /^bg-/],
  ['ring-color', /^ring-(?!inset)[a-z]/],
  ['flex', /^flex-[\d[]/],
  ['$1', /^\[(--[\w-]+):/],
];
/** Of the others the kind is the name up to the value. */
const NAMED =
  /^-?((?:min-|max-)?[wh]|size|[pm][xytrbl]?|gap(?:-[xy])?|space-y|inset(?:-[xy])?|top|right|bottom(?!-center)|left|z|opacity|leading|items|justify(?!-self|-items)|self|align|basis|line-clamp|grid-cols|col-start|col-span|overflow(?:-[xy])?|whitespace|break|cursor|list(?!-inside)|content|translate-[xy]|decoration(?!-wavy)|underline-offset|duration|animate|rotate)-|^(shrink|grow|resize|transition)(?:-|$)/;
/** Narrower kinds that a wider one overrides, too. */
const COVERS: Partial<Record<string, readonly string[]>> = {
  size: ['w', 'h'],
  p: ['px', 'py', 'pt', 'pr', 'pb', 'pl'],
  px: ['pr', 'pl'],
  py: ['pt', 'pb'],
  m: ['mx', 'my', 'mt', 'mr', 'mb', 'ml'],
  mx: ['mr', 'ml'],
  my: ['mt', 'mb'],
  gap: ['gap-x', 'gap-y'],
  inset: ['inset-x', 'inset-y', 'top', 'right', 'bottom', 'left'],
  'inset-x': ['right', 'left'],
  'inset-y': ['top', 'bottom'],
  'line-clamp': ['display', 'overflow'],
  overflow: ['overflow-x', 'overflow-y'],
  rounded: ['rounded-b'],
  'font-size': ['leading'],
  flex: ['shrink', 'grow', 'basis'],
  bw: ['l', 'r', 't', 'b'],
  'color-of-border': ['lc', 'rc', 'tc', 'bc'],
};

export function kindOf(name: string): string | undefined {
  for (const [kind, names] of KINDS) {
    const match = names.exec(name);
    if (match) return kind.replace('$1', match[1] ?? '');
  }
  const named = NAMED.exec(name);
  return named?.[1] ?? named?.[2];
}

/** Where the variants (`hover:`, `data-[a:b]:`) end. */
const VARIANTS = /^(?:(?:[^:[\]]|\[[^\]]*\])+:)*!?/;

function merge(classes: string): string {
  const taken = new Set<string>();
  return classes
    .split(' ')
    .reverse()
    .filter((name) => {
      const variants = VARIANTS.exec(name)?.[0] ?? '';
      const kind = kindOf(name.slice(variants.length));
      if (kind === undefined) return true;
      if (taken.has(variants + kind)) return false;
      for (const covered of [kind, ...(COVERS[kind] ?? [])]) taken.add(variants + covered);
      return true;
    })
    .reverse()
    .join(' ');
}

/** The same lists come again with every row and every frame. */
const merged = new Map<string, string>();
const MERGED_MAX = 2_000;

/** Joins class names; a later Tailwind class wins over an earlier one of its kind. */
export function cn(...classes: ClassValue[]): string {
  const joined = clsx(classes);
  let result = merged.get(joined);
  if (result === undefined) {
    result = merge(joined);
    if (merged.size >= MERGED_MAX) merged.clear();
    merged.set(joined, result);
  }
  return result;
}

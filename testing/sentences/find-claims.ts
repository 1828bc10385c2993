/** Sentences on screen and in the terminal that claim something of all or of none. */
import ts from 'typescript';
import { type Source, sourcesIn } from '@/testing/project-files';

const NONE = /^(No|None|Nothing|Nobody|Never) \w/;
const ALL = /^(All|Every|Everything|Always) /;
/** A label names a choice ("All queues"); a claim has a verb. */
const VERB = / (is|are|was|were|has|have|meets?|ended|takes?)\b/;
const WORD = /\b(No|None|Nothing|Nobody|Never|All|Every|Everything|Always)\s/;
/** Titles of refusals, and limits that an empty field sets. */
const OTHER = /^No (such|limit)\b/;

export const isClaim = (text: string): boolean =>
  !OTHER.test(text) && (NONE.test(text) || (ALL.test(text) && VERB.test(text)));

/** What the source says, sentence by sentence; a value is `…`. */
function sentencesOf({ file, text }: Source): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    const said = textOf(node);
    if (said !== null)
      found.push(
        ...said
          .replace(/\s+/g, ' ')
          .trim()
          .split(/(?<=[.!?]) /),
      );
    ts.forEachChild(node, visit);
  };
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false, kind));
  return found;
}

function textOf(node: ts.Node): string | null {
  if (ts.isJsxText(node) || ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return null;
  return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
}

export const claimsIn = (sources: readonly Source[]): string[] =>
  // Parsing takes seconds: files without such a word are left out.
  [
    ...new Set(
      sources
        .filter(({ text }) => WORD.test(text))
        .flatMap(sentencesOf)
        .filter(isClaim),
    ),
  ].sort();

export const shownClaims = (): string[] =>
  claimsIn(sourcesIn(['components', 'app', 'cli'], { ending: /\.tsx?$/ }));

/** Every field that a line of the log can have, as the sources write it, is in docs/operate/logs.md. */
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { documentedLogFields, logFieldProblems } from '@/testing/observability/log-fields';
import { sourcesIn } from '@/testing/project-files';

const LEVELS = new Set(['trace', 'debug', 'info', 'warn', 'error']);

/** The field names of `log().warn({ … }, '…')` and of loggers that are called so. Spread objects are left to the test of real lines. */
function fieldsWritten(file: string, text: string): string[] {
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const [fields, message] = node.arguments;
      const isLogger =
        (ts.isPropertyAccessExpression(node.expression) && LEVELS.has(node.expression.name.text)) ||
        (ts.isElementAccessExpression(node.expression) && /^log\(\)/.test(node.expression.getText(source)));
      if (isLogger && message && fields && ts.isObjectLiteralExpression(fields))
        for (const { name } of fields.properties) if (name) names.push(name.getText(source));
    }
    ts.forEachChild(node, visit);
  };
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  visit(source);
  return names;
}

describe('docs/operate/logs.md', () => {
  const written = sourcesIn(['lib/server', 'lib/worker', 'lib/process', 'lib/tracing', 'worker'])
    .filter(({ text }) => /\blog(?:ger|\(\))/.test(text))
    .flatMap(({ file, text }) => fieldsWritten(file, text).map((field) => ({ file, field })));

  it('has every field that the sources write', () => {
    expect(written.length).toBeGreaterThan(30);
    const fields = documentedLogFields();
    expect(
      written.filter(({ field }) => !fields.has(field)),
      'Add these to the table of fields, or take names that are there',
    ).toEqual([]);
  });

  it('the check sees an unknown field, and one of another type', () => {
    expect(fieldsWritten('a.ts', "log().warn({ err, secretField: 1 }, 'a')")).toEqual(['err', 'secretField']);
    expect(fieldsWritten('a.ts', "log()[level]({ queue }, 'a')")).toEqual(['queue']);
    expect(
      logFieldProblems([
        { msg: 'a', secretField: 1 },
        { msg: 'b', queue: 7 },
      ]),
    ).toHaveLength(2);
  });
});

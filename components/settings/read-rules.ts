/** From the text of the rules of what is hidden to rules, or what is wrong with which; pure. */
import { redactionRuleSchema } from '@/lib/contract/redaction';
import type { RuleDraft } from './draft';

/** What is wrong is noted by place: `redact.<row>`. */
export function readRules(rows: readonly RuleDraft[], errors: Record<string, string>): string[] {
  const rules: string[] = [];
  for (const { row, rule } of rows) {
    const parsed = redactionRuleSchema.safeParse(rule);
    if (!parsed.success) errors[`redact.${row}`] = parsed.error.issues[0]?.message ?? 'is not a rule';
    else if (rules.includes(parsed.data)) errors[`redact.${row}`] = 'is there twice';
    else rules.push(parsed.data);
  }
  return rules;
}

/** The rules that can be read already: what a sample shows while one is still being typed. */
export const readableRules = (rows: readonly RuleDraft[]): string[] => readRules(rows, {});

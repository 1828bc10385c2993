/** Damages an embedded script for as long as a test needs it, to prove that a checker would notice. */
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { SCRIPTS, type ScriptName } from '@/lib/broker/lua.generated';

export interface Mutant {
  readonly defect: string;
  readonly script: ScriptName;
  /** A piece of the script, with columns named `K_ready` as in the source. */
  readonly is: string;
  readonly becomes: string;
}
type Writable = Record<ScriptName, { lua: string; sha: string }>;
const scripts = SCRIPTS as unknown as Writable;

/** A piece of source, with the columns it names in place of `KEYS[n]`. */
function inKeys(script: ScriptName, lua: string): string {
  const keys: readonly string[] = SCRIPTS[script].keys;
  return lua.replace(/\bK_(\w+)/g, (_, column: string) => `KEYS[${keys.indexOf(column) + 1}]`);
}

/** The test file must have replaced the module by a copy it may damage (`vi.mock` with `structuredClone`). */
export async function withMutant({ script, is, becomes }: Mutant, run: () => Promise<void>): Promise<void> {
  const whole = { ...scripts[script] };
  const lua = whole.lua.replace(inKeys(script, is), () => inKeys(script, becomes));
  expect(lua, 'the mutation changed the script').not.toBe(whole.lua);
  Object.assign(scripts[script], { lua, sha: createHash('sha1').update(lua).digest('hex') });
  try {
    await run();
  } finally {
    Object.assign(scripts[script], whole);
  }
}

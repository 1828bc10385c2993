/** Damages an embedded script for as long as a test needs it, to prove that a checker would notice. */
import { expect } from 'vitest';
import { SCRIPTS, type ScriptName } from '@/lib/broker/lua.generated';
import { compile, readModule, sources } from '@/scripts/lua.mjs';

export interface Mutant {
  readonly defect: string;
  readonly script: ScriptName;
  /** A piece of the script's source, or of a module that it requires. */
  readonly is: string;
  readonly becomes: string;
}
type Writable = Record<ScriptName, { lua: string; sha: string }>;
const scripts = SCRIPTS as unknown as Writable;
const SOURCES = sources();

/** The script as its sources give it with that piece changed: in the script itself, else in the first module that has it. */
function mutated({ script, is, becomes }: Mutant): { lua: string; sha: string } {
  const source = SOURCES.get(script)?.source ?? '';
  let done = false;
  const change = (text: string) => {
    if (done || !text.includes(is)) return text;
    done = true;
    return text.replace(is, () => becomes);
  };
  const entry = change(source);
  const { lua, sha } = compile(script, entry, (id: string) => change(readModule(id)), { mayLeaveKeys: true });
  return { lua, sha };
}

/** The embedded script is whole again afterwards: other test files of the process use it as well. */
export async function withMutant(mutant: Mutant, run: () => Promise<void>): Promise<void> {
  const whole = { ...scripts[mutant.script] };
  const damaged = mutated(mutant);
  expect(damaged.lua, 'the mutation changed the script').not.toBe(whole.lua);
  Object.assign(scripts[mutant.script], damaged);
  try {
    await run();
  } finally {
    Object.assign(scripts[mutant.script], whole);
  }
}

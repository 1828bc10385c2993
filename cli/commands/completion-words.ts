/** What a shell may offer after each command, made from the commands themselves. */
import type { Command } from 'commander';

interface CompletionWords {
  /** Command → subcommands, choices of arguments, and options. The key of the program is empty. */
  readonly commands: ReadonlyMap<string, readonly string[]>;
  /** Options that take a value, of any command. */
  readonly valueOptions: readonly string[];
  /** `command --option` → its values, of options with a fixed set. */
  readonly choices: ReadonlyMap<string, readonly string[]>;
}

/** Options of the program are options of each command, too. */
export function completionWords(program: Command): CompletionWords {
  const commands = new Map<string, string[]>();
  const choices = new Map<string, readonly string[]>();
  const valueOptions = new Set<string>();
  const add = (command: Command, path: string) => {
    const forms = [command, ...defaultOf(command)];
    const own = forms.flatMap((form) => form.options);
    const options = command === program ? own : [...own, ...program.options];
    commands.set(path, [
      ...command.commands.flatMap((child) => [child.name(), ...child.aliases()]),
      ...forms.flatMap((form) => form.registeredArguments.flatMap(({ argChoices = [] }) => argChoices)),
      ...options.flatMap(({ long }) => long ?? []),
      '--help',
    ]);
    for (const { long, short, required, argChoices } of options) {
      const names = [long, short].filter((name) => name !== undefined);
      if (required) for (const name of names) valueOptions.add(name);
      if (argChoices) for (const name of names) choices.set(`${path} ${name}`, argChoices);
    }
    for (const child of command.commands)
      for (const name of [child.name(), ...child.aliases()]) add(child, `${path} ${name}`.trim());
  };
  add(program, '');
  return { commands, valueOptions: [...valueOptions], choices };
}

/** The command that a group runs when none is named. Commander keeps its name, and has no method for it. */
function defaultOf(group: Command): readonly Command[] {
  const { _defaultCommandName: name } = group as unknown as { _defaultCommandName: string | null };
  return group.commands.filter((command) => command.name() === name);
}

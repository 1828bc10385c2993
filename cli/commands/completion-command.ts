/** `redrive completion bash|zsh|fish`: a script for the shell, made from the commands themselves. */
import { Argument, type Command } from 'commander';
import type { Terminal } from '../terminal/terminal';

export function addCompletionCommand(program: Command, terminal: Terminal): void {
  program
    .command('completion')
    .description('print a completion script: eval "$(redrive completion bash)"')
    .addArgument(new Argument('<shell>', 'shell').choices(['bash', 'zsh', 'fish']))
    .action((shell: 'bash' | 'zsh' | 'fish') => terminal.out(SCRIPTS[shell](wordsByCommand(program))));
}

/** What may follow each command: its commands and options. The key of the program is empty. */
export function wordsByCommand(command: Command, path = ''): Map<string, string[]> {
  const words = [
    ...command.commands.map((child) => child.name()),
    ...command.options.flatMap(({ long }) => long ?? []),
    '--help',
  ];
  const below = command.commands.flatMap((child) => [
    ...wordsByCommand(child, `${path} ${child.name()}`.trim()),
  ]);
  return new Map([[path, words], ...below]);
}

const casesOf = (words: Map<string, string[]>): string =>
  [...words].map(([path, next]) => `    '${path}') words='${next.join(' ')}' ;;`).join('\n');

const bash = (words: Map<string, string[]>): string => `_redrive() {
  local path='' word words=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in -*) ;; *) [ "\${#path}" -gt 0 ] && path="$path $word" || path=$word ;; esac
  done
  case $path in
${casesOf(words)}
    *) words='--help' ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _redrive redrive`;

const SCRIPTS = {
  bash,
  zsh: (words: Map<string, string[]>): string =>
    `autoload -U +X bashcompinit && bashcompinit\n${bash(words)}`,
  fish: (words: Map<string, string[]>): string =>
    [...words]
      .map(([path, next]) => {
        const condition =
          path === '' ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${path.split(' ').at(-1)}`;
        return `complete -c redrive -n '${condition}' -a '${next.join(' ')}'`;
      })
      .join('\n'),
};

/** `redrive completion bash|zsh|fish`: a script for the shell, made from the commands themselves. */
import { Argument, type Command } from 'commander';
import type { Terminal } from '../terminal/terminal';
import { completionWords } from './completion-words';

export function addCompletionCommand(program: Command, terminal: Terminal): void {
  program
    .command('completion')
    .description('print a completion script: eval "$(redrive completion bash)"')
    .addArgument(new Argument('<shell>', 'shell').choices(['bash', 'zsh', 'fish']))
    .action((shell: keyof typeof SCRIPTS) => terminal.out(SCRIPTS[shell](completionWords(program))));
}

type Words = ReturnType<typeof completionWords>;

/** A pattern of `case`. */
const either = (words: readonly string[]): string => words.map((word) => `'${word}'`).join('|');

/**
 * Arguments and values of options are no part of the command, wherever they stand. No variable is called `path`: in zsh that is the
 * list of PATH.
 */
const bash = ({ commands, valueOptions, choices }: Words): string => `_redrive() {
  local found='' word='' words='' skip='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    if [ "$word" = '=' ]; then continue; fi
    if [ -n "$skip" ]; then skip=''; continue; fi
    case "$word" in
      ${either(valueOptions)}) skip="$word" ;;
      -*) ;;
      *) case "\${found:+$found }$word" in
        ${either([...commands.keys()].filter(Boolean))}) found="\${found:+$found }$word" ;;
      esac ;;
    esac
  done
  if [ -n "$skip" ]; then
    case "$found $skip" in
${[...choices].map(([option, values]) => `      '${option}') words='${values.join(' ')}' ;;`).join('\n')}
    esac
  else
    case "$found" in
${[...commands].map(([command, words]) => `      '${command}') words='${words.join(' ')}' ;;`).join('\n')}
    esac
  fi
  word="\${COMP_WORDS[COMP_CWORD]}"
  if [ "$word" = '=' ]; then word=''; fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _redrive redrive`;

const fish = ({ commands, valueOptions, choices }: Words): string =>
  [
    `function __redrive_words
  set -l found
  set -l skip
  set -l tokens (commandline -opc)
  for word in $tokens[2..-1]
    if test -n "$skip"
      set skip
    else if contains -- $word ${valueOptions.join(' ')}
      set skip $word
    else if not string match -q -- '-*' $word
      set -l longer (string join ' ' $found $word)
      contains -- $longer ${[...commands.keys()]
        .filter(Boolean)
        .map((command) => `'${command}'`)
        .join(' ')}
      and set found $longer
    end
  end
  switch "$found $skip"`,
    ...[...choices].map(
      ([option, values]) => `    case '${option}'\n      string split -- ' ' '${values.join(' ')}'`,
    ),
    ...[...commands].map(
      ([command, words]) => `    case '${command} '\n      string split -- ' ' '${words.join(' ')}'`,
    ),
    '  end\nend',
    "complete -c redrive -f -a '(__redrive_words)'",
  ].join('\n');

const SCRIPTS = {
  bash,
  zsh: (words: Words): string => `autoload -U +X bashcompinit && bashcompinit\n${bash(words)}`,
  fish,
};

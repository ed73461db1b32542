import type { Command, Option } from 'commander';

/** Where the cursor is in a command. */
export interface Position {
  command: Command;
  /** The arguments of the command before the cursor. */
  given: string[];
  /** The option whose value is at the cursor. */
  option?: Option;
  /** What precedes the value in the same word, such as `--output=`. */
  before: string;
  /** What has been typed of the word or value. */
  typed: string;
}

/** @param words without the name of the program; the last one is at the cursor */
export function positionOf(program: Command, words: readonly string[]): Position {
  const [first, ...others] = words;
  // `help list` has the commands that the program has.
  if (first === 'help' && others.length > 0) return positionOf(program, others);
  const typed = words.at(-1) ?? '';
  let command = program;
  let option: Option | undefined;
  const given: string[] = [];
  for (const word of words.slice(0, -1)) {
    if (option !== undefined) option = undefined;
    else if (word.startsWith('-')) option = valuedOption(command, word);
    else {
      const found = given.length === 0 ? commandNamed(command, word) : undefined;
      if (found === undefined) given.push(word);
      else command = found;
    }
  }
  const [name = '', value] = typed.split(/=(.*)/s);
  const inWord = value === undefined || !name.startsWith('--') ? undefined : valuedOption(command, name);
  if (option === undefined && inWord !== undefined && value !== undefined) {
    return { command, given, option: inWord, before: `${name}=`, typed: value };
  }
  return { command, given, ...(option && { option }), before: '', typed };
}

/** A command by its name, or by its other one. */
export function commandNamed(parent: Command, word: string): Command | undefined {
  return parent.commands.find((command) => command.name() === word || command.aliases().includes(word));
}

/** The option, if the next word is its value. */
function valuedOption(command: Command, word: string): Option | undefined {
  const option = command.options.find(({ long, short }) => word === long || word === short);
  return option?.required || option?.optional ? option : undefined;
}

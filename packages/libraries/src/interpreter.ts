import type { Config, InterpreterArchive, LibraryDefinition } from '@gateway/platform';

/**
 * The archives of the interpreter that one of the libraries brings, for each architecture. Empty if no
 * library brings one.
 *
 * @param libraries including their dependencies
 */
export function interpreterArchives(
  libraries: readonly LibraryDefinition[],
  { interpreters }: Config['builds'],
): InterpreterArchive[] {
  const provider = libraries.find(({ interpreter }) => interpreter);
  if (provider === undefined) return [];
  return interpreters.filter(({ version }) => version === provider.pythonVersion);
}

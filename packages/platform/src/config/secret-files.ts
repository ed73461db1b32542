import { readFileSync } from 'node:fs';
import { type Environment, variable } from './env.ts';
import { SECRETS } from './secrets.ts';
import { flatEntries } from './settings/entries.ts';

/** Variables with secrets. Each secret can be in a file instead, which the variable `<name>_FILE` names. */
export const SECRET_VARIABLES: readonly string[] = [
  ...Object.keys(SECRETS),
  ...flatEntries().flatMap(({ variable: name, isSecret }) => (isSecret && name !== null ? [name] : [])),
];

/**
 * A copy of the environment in which variables with secrets have the text of their files, and the variables
 * that name the files are empty. Adds problems to `problems`; they contain no part of a secret.
 */
export function withSecretFiles(environment: Environment, problems: string[]): Environment {
  const resolved = { ...environment };
  for (const name of SECRET_VARIABLES) {
    const fileVariable = `${name}_FILE`;
    const path = variable(environment, fileVariable);
    if (path === undefined) continue;
    resolved[fileVariable] = '';
    if (variable(environment, name) !== undefined) {
      problems.push(`${name} and ${fileVariable} cannot both be set`);
      continue;
    }
    try {
      resolved[name] = readFileSync(path, 'utf8');
      if (variable(resolved, name) === undefined) {
        problems.push(`${fileVariable} names a file that is empty (${path})`);
      }
    } catch {
      problems.push(`${fileVariable} names a file that cannot be read (${path})`);
    }
  }
  return resolved;
}

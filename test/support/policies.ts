import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Rules of a service that differ from its defaults, by service. */
type Rules = Record<string, Record<string, string>>;

/**
 * Writes rules into the policy files of the services, which read them again at once, and returns a function
 * that puts the files back.
 *
 * @param folder has `<service>/policy.yaml` for each service
 */
export async function changePolicies(folder: string, rules: Rules): Promise<() => Promise<void>> {
  const files = Object.entries(rules).map(([service, own]) => ({
    path: join(folder, service, 'policy.yaml'),
    text: JSON.stringify(own),
  }));
  const before = await Promise.all(files.map(({ path }) => readFile(path, 'utf8')));
  await Promise.all(files.map(({ path, text }) => writeFile(path, text)));
  return async () => {
    await Promise.all(files.map(({ path }, index) => writeFile(path, before[index] ?? '{}\n')));
  };
}

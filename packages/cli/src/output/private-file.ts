import { randomUUID } from 'node:crypto';
import { realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';

/**
 * Replaces the file as a whole, by one that only the user can read. A mode counts only for a new file. A link
 * stays, and what is no file, such as `/dev/stdout`, is written to.
 */
export function writePrivateFile(path: string, text: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile()) {
    writeFileSync(path, text);
    return;
  }
  const file = found === undefined ? path : realpathSync(path);
  const draft = `${file}.${randomUUID()}`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

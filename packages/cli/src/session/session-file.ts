import { chmodSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile } from '../output/private-file.ts';

/** A session as it is stored. */
export interface StoredSession {
  url: string;
  token: string;
  project_id: string;
  project_name: string;
  username: string;
  /** The id of the credential that has logged in; '' for a person. */
  application_credential: string;
}

const NAME = 'session.json';

/** Null without a session, or if the file is not valid. */
export function readSession(folder: string): StoredSession | null {
  try {
    const session = JSON.parse(readFileSync(join(folder, NAME), 'utf8')) as Partial<StoredSession>;
    const { url, token, project_id } = session;
    if (!url || !token || !project_id) return null;
    const { project_name = '', username = '', application_credential = '' } = session;
    return { url, token, project_id, project_name, username, application_credential };
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Replaces the file as a whole. Only the user can read it, and its folder. */
export function writeSession(folder: string, session: StoredSession): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  writePrivateFile(join(folder, NAME), `${JSON.stringify(session, null, 2)}\n`);
}

export function removeSession(folder: string): void {
  rmSync(join(folder, NAME), { force: true });
}

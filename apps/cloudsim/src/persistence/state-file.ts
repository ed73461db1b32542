import { createHash } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { deserialize, serialize } from 'node:v8';

/**
 * The version of stored states. Raise it when a record gets or loses a field, or when a task changes: older
 * files are then ignored. A new collection of records changes the file's `shape` and needs no new version.
 */
const STATE_VERSION = 2;

interface Header {
  version: number;
  shape: string;
  /** Of the content after the header, in hex. */
  sha256: string;
}

/** A line of JSON, followed by the state in V8's format, which keeps maps, sets and shared references. */
export function encodeState(state: unknown, shape: string): Buffer {
  const content = serialize(state);
  const header: Header = { version: STATE_VERSION, shape, sha256: hashOf(content) };
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), content]);
}

/** @throws when the file is damaged, or was written with another version or shape */
export function decodeState(file: Buffer, shape: string): unknown {
  const end = file.indexOf('\n');
  const header = JSON.parse(file.subarray(0, end).toString()) as Partial<Header>;
  if (header.version !== STATE_VERSION || header.shape !== shape)
    throw new Error('the state was written by another version');
  const content = file.subarray(end + 1);
  if (header.sha256 !== hashOf(content)) throw new Error('the state is damaged');
  return deserialize(content);
}

function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Null when there is no such file. */
export async function readIfPresent(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Replaces the file atomically, so that a crash leaves either the old or the new content. The file's mode
 * protects the passwords in the state.
 */
export async function replaceFile(path: string, content: Buffer): Promise<void> {
  const temporary = `${path}.new`;
  const file = await open(temporary, 'w', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  await syncFolder(dirname(path));
}

/** Makes the renamed entry durable. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

import { type FileHandle, open } from 'node:fs/promises';
import type { CadfEvent } from '@gateway/activity';
import type { AuditReceiver } from './receiver.ts';

/** Readable for the group, in which what collects the file may be. */
const MODE = 0o640;
const NEWLINE = '\n'.charCodeAt(0);

/**
 * Appends one line of JSON for each event, and waits until the disk has them. The file is opened each time,
 * so that it can be rotated.
 */
export class FileReceiver implements AuditReceiver {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  async send(events: readonly CadfEvent[]): Promise<void> {
    const file = await open(this.#path, 'a+', MODE);
    try {
      const lines = events.map((event) => `${JSON.stringify(event)}\n`).join('');
      // A process that was killed may have left the beginning of a line.
      await file.appendFile((await endsAmidLine(file)) ? `\n${lines}` : lines);
      await file.sync();
    } finally {
      await file.close();
    }
  }
}

async function endsAmidLine(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return false;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] !== NEWLINE;
}

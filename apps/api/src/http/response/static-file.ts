import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Response } from 'express';

/** By the path of the file. Files do not change while a process runs. */
const tags = new Map<string, string>();

/**
 * Sends a file that belongs to the program. Browsers ask each time whether it has changed, by its content: by
 * its time, they would keep a newer release's file after a way back.
 */
export function sendStaticFile(response: Response, url: string): void {
  const path = fileURLToPath(url);
  const tag = tags.get(path) ?? entityTagOf(readFileSync(path));
  tags.set(path, tag);
  response.set({ 'Cache-Control': 'private, no-cache', ETag: tag });
  response.sendFile(path, {
    acceptRanges: false,
    cacheControl: false,
    dotfiles: 'allow',
    lastModified: false,
  });
}

/** A strong entity tag, quotes included. */
export function entityTagOf(content: Buffer | string): string {
  return `"${createHash('sha256').update(content).digest('base64url')}"`;
}

import { gunzipSync } from 'node:zlib';
import { parse } from 'yaml';
import { isObject, type Json, type JsonObject, listAt, textAt } from '../common/json.ts';
import { isMultipart, type Part, readParts } from './multipart.ts';

/** What a machine finds itself told at its first boot. */
export interface FirstBootData {
  /** Contents of the files that are put in place, by path. */
  files: ReadonlyMap<string, string>;
  /** Whether anything is run at all. */
  runs: boolean;
}

const LONGEST_UNPACKED = 16 * 2 ** 20;

/**
 * Reads user data as cloud-init does: base64, perhaps gzipped, one part or several.
 * @throws when it can not be read
 */
export function readFirstBootData(userData: string): FirstBootData {
  const text = unpack(Buffer.from(userData, 'base64')).toString();
  const parts = (isMultipart(text) ? readParts(text) : [{ type: '', headers: new Map(), text }]).map(typed);
  const files = new Map<string, string>();
  const config = mergeConfigs(parts.filter(({ type }) => type === 'text/cloud-config'));
  for (const entry of listAt(config, 'write_files').filter(isObject)) putFile(files, entry);
  const runs =
    listAt(config, 'runcmd').length > 0 || parts.some(({ type }) => type.startsWith('text/x-shellscript'));
  return { files, runs };
}

function unpack(bytes: Buffer): Buffer {
  const isZipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return isZipped ? gunzipSync(bytes, { maxOutputLength: LONGEST_UNPACKED }) : bytes;
}

/** A part's first line says what it is where its type does not. */
function typed(part: Part): Part {
  if (part.type !== '' && part.type !== 'text/plain') return part;
  if (part.text.startsWith('#cloud-config')) return { ...part, type: 'text/cloud-config' };
  return part.text.startsWith('#!') ? { ...part, type: 'text/x-shellscript' } : part;
}

/** A later part's keys replace those of an earlier one, unless it says that its lists are to be appended. */
function mergeConfigs(parts: Part[]): JsonObject {
  const merged: JsonObject = {};
  for (const { text, headers } of parts) {
    const config = parse(text, { version: '1.1' }) as Json;
    if (!isObject(config)) continue;
    const how = [headers.get('merge-type'), headers.get('x-merge-type'), config.merge_how, config.merge_type];
    const appends = JSON.stringify(how).includes('append');
    for (const [key, value] of Object.entries(config)) {
      const before = merged[key];
      merged[key] = appends && Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value;
    }
  }
  return merged;
}

function putFile(files: Map<string, string>, entry: JsonObject): void {
  const path = textAt(entry, 'path');
  if (path === undefined) return;
  const encoding = (textAt(entry, 'encoding') ?? '').toLowerCase();
  const content: unknown = entry.content;
  const isBase64 = /b(ase)?64/.test(encoding);
  // YAML has a form of its own for what is no text.
  const bytes =
    content instanceof Uint8Array
      ? Buffer.from(content)
      : Buffer.from(String(content ?? ''), isBase64 ? 'base64' : 'utf8');
  const text = (encoding.startsWith('gz') ? unpack(bytes) : bytes).toString();
  files.set(path, entry.append === true ? `${files.get(path) ?? ''}${text}` : text);
}

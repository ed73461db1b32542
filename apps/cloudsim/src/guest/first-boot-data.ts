import { gunzipSync } from 'node:zlib';
import { parse } from 'yaml';
import { arrayAt, isObject, type Json, type JsonObject, stringAt } from '../common/json.ts';
import { isMultipart, type Part, readParts } from './multipart.ts';

/** The parsed first-boot data of a machine. */
export interface FirstBootData {
  /** File contents by path. */
  files: ReadonlyMap<string, string>;
  /** Whether the data runs any command or script. */
  runs: boolean;
}

const MAX_UNPACKED_BYTES = 16 * 2 ** 20;

/**
 * Parses user data as cloud-init does: base64, optionally gzipped, one or several parts.
 * @throws when the data cannot be parsed
 */
export function readFirstBootData(userData: string): FirstBootData {
  const text = unpack(Buffer.from(userData, 'base64')).toString();
  const parts = (isMultipart(text) ? readParts(text) : [{ type: '', headers: new Map(), text }]).map(typed);
  const files = new Map<string, string>();
  const config = mergeConfigs(parts.filter(({ type }) => type === 'text/cloud-config'));
  for (const entry of arrayAt(config, 'write_files').filter(isObject)) putFile(files, entry);
  const runs =
    arrayAt(config, 'runcmd').length > 0 || parts.some(({ type }) => type.startsWith('text/x-shellscript'));
  return { files, runs };
}

function unpack(bytes: Buffer): Buffer {
  const isZipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return isZipped ? gunzipSync(bytes, { maxOutputLength: MAX_UNPACKED_BYTES }) : bytes;
}

/** Determines the type of an untyped part from its first line. */
function typed(part: Part): Part {
  if (part.type !== '' && part.type !== 'text/plain') return part;
  if (part.text.startsWith('#cloud-config')) return { ...part, type: 'text/cloud-config' };
  return part.text.startsWith('#!') ? { ...part, type: 'text/x-shellscript' } : part;
}

/**
 * Keys of later parts replace those of earlier parts. A part can request that its lists are appended instead.
 */
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
  const path = stringAt(entry, 'path');
  if (path === undefined) return;
  const encoding = (stringAt(entry, 'encoding') ?? '').toLowerCase();
  const content: unknown = entry.content;
  const isBase64 = /b(ase)?64/.test(encoding);
  // YAML parses `!!binary` into bytes.
  const bytes =
    content instanceof Uint8Array
      ? Buffer.from(content)
      : Buffer.from(String(content ?? ''), isBase64 ? 'base64' : 'utf8');
  const text = (encoding.startsWith('gz') ? unpack(bytes) : bytes).toString();
  files.set(path, entry.append === true ? `${files.get(path) ?? ''}${text}` : text);
}

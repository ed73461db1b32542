import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { MIMEType } from 'node:util';
import { bodyTooLarge, type GatewayError, invalidInput, unsupportedMediaType } from '@gateway/core';
import express, { type Request, type RequestHandler, type Response } from 'express';

/** Reads bodies up to a maximum size. @throws 400, 413, 415 */
export type ReadBody = (request: Request, response: Response) => Promise<unknown>;

export function createBodyReader(limitBytes: number): ReadBody {
  const parse = express.json({
    limit: limitBytes,
    strict: false,
    type: () => true,
    verify: (_request, _response, bytes, charset) => {
      if (charset === 'utf-8' && !isUtf8(bytes)) throw new Error('The body is not UTF-8.');
    },
  });
  const mistaken = 'The body must be JSON: send it with Content-Type: application/json.';
  return createReader(parse, { limitBytes, type: 'application/json', mistaken });
}

/** For the forms of browsers. */
export function createFormReader(limitBytes: number): ReadBody {
  const parse = express.urlencoded({ extended: false, limit: limitBytes, type: () => true });
  const mistaken = 'The body must be the form of a web page.';
  return createReader(parse, { limitBytes, type: 'application/x-www-form-urlencoded', mistaken });
}

interface BodyKind {
  limitBytes: number;
  type: string;
  /** The message for a body of another type. */
  mistaken: string;
}

function createReader(parse: RequestHandler, { limitBytes, mistaken, type }: BodyKind): ReadBody {
  return (request, response) => {
    if (!hasBody(request)) return Promise.resolve(undefined);
    nameUtf8(request);
    if (!request.is(type)) throw unsupportedMediaType(mistaken);
    return new Promise((resolve, reject) => {
      // The parser reports a body that is too large only after it has received all of the body.
      rejectBeyond(limitBytes, request, reject);
      parse(request, response, (error?: unknown) => {
        if (error === undefined) resolve(request.body);
        else reject(toBodyError(error, limitBytes));
      });
    });
  };
}

/**
 * Removes a charset from the type of the body if it means UTF-8, under any of its names: the parser knows
 * only `utf-8`, and takes a body without a charset for that.
 */
function nameUtf8({ headers }: IncomingMessage): void {
  try {
    const { essence, params } = new MIMEType(headers['content-type'] ?? '');
    if (new TextDecoder(params.get('charset') ?? 'utf-8').encoding !== 'utf-8') return;
    headers['content-type'] = essence;
  } catch {
    // No type, or an encoding without a name that is known: the parser refuses it.
  }
}

/** @throws 413 if the `Content-Length` exceeds the limit */
export function checkLength(request: IncomingMessage, limitBytes: number): void {
  if (isTooLong(request, limitBytes)) throw tooLarge(limitBytes);
}

export function isTooLong({ headers }: IncomingMessage, limitBytes: number): boolean {
  return Number(headers['content-length'] ?? 0) > limitBytes;
}

function rejectBeyond(
  limitBytes: number,
  request: IncomingMessage,
  reject: (error: GatewayError) => void,
): void {
  let receivedBytes = 0;
  request.on('data', (chunk: Buffer) => {
    receivedBytes += chunk.length;
    if (receivedBytes > limitBytes) reject(tooLarge(limitBytes));
  });
}

function tooLarge(limitBytes: number, cause?: unknown): GatewayError {
  return bodyTooLarge(`The body is larger than ${limitBytes} bytes.`, { cause });
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** body-parser distinguishes its errors by `type`. */
function toBodyError(cause: unknown, limitBytes: number): GatewayError {
  const { type = '' } = cause as { type?: string };
  if (type === 'entity.too.large') return tooLarge(limitBytes, cause);
  if (type === 'encoding.unsupported' || type === 'charset.unsupported') {
    return unsupportedMediaType('The body is in an encoding that is not supported.', { cause });
  }
  if (type === 'entity.verify.failed') return invalidInput('The body is not well-formed UTF-8.', { cause });
  return invalidInput('The body is not well-formed JSON.', { cause });
}

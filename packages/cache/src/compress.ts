import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';

/**
 * Content codings in the order of preference: they compress lists about equally well, so the fastest is
 * first.
 */
export const encodings = ['zstd', 'br', 'gzip'] as const;

export type Encoding = (typeof encodings)[number];

/** What a client accepts. */
export interface AcceptedEncoding {
  /** Null if the client prefers the plain body. */
  encoding: Encoding | null;
  /** False if the client refuses a plain body. */
  allowsPlain: boolean;
}

/** A smaller body fits into one packet without compression. */
const MIN_BYTES = 1024;

const compressors: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  zstd: (body) => zstd(body, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
  br: (body) =>
    brotli(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 4,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      },
    }),
  gzip: (body) => gzipped(body, { level: 6 }),
};
const zstd = promisify(zstdCompress);
const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** The coding in which to send a body of this length; null for none. */
export function encodingFor(length: number, { encoding, allowsPlain }: AcceptedEncoding): Encoding | null {
  return length < MIN_BYTES && allowsPlain ? null : encoding;
}

/** Compresses in a thread of Node's pool, while the process serves others. */
export function compress(body: Buffer, encoding: Encoding): Promise<Buffer> {
  return compressors[encoding](body);
}

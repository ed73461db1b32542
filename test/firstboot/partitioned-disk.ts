import { randomBytes } from 'node:crypto';

const SECTOR_BYTES = 512;
const FIRST_SECTOR = 2048;
const SIZE_BYTES = 16 * 1024 * 1024;
const LINUX = 0x83;

/** A disk with one Linux partition that contains random data. */
export function partitionedDisk(): Buffer {
  const disk = Buffer.alloc(SIZE_BYTES);
  const entry = 446;
  disk.writeUInt8(LINUX, entry + 4);
  disk.writeUInt32LE(FIRST_SECTOR, entry + 8);
  disk.writeUInt32LE(SIZE_BYTES / SECTOR_BYTES - FIRST_SECTOR, entry + 12);
  disk.writeUInt16LE(0xaa55, 510);
  randomBytes(SIZE_BYTES - FIRST_SECTOR * SECTOR_BYTES).copy(disk, FIRST_SECTOR * SECTOR_BYTES);
  return disk;
}

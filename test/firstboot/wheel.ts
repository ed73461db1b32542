import { crc32 } from 'node:zlib';

/** The files of the wheel that the checks expect. */
const files: Record<string, string> = {
  'tiny_library.py': 'def greeting():\n    return "a tiny library"\n\n\ndef main():\n    print(greeting())\n',
  'tiny_library-1.0.dist-info/METADATA': 'Metadata-Version: 2.1\nName: tiny-library\nVersion: 1.0\n',
  'tiny_library-1.0.dist-info/WHEEL':
    'Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
  'tiny_library-1.0.dist-info/entry_points.txt': '[console_scripts]\ntiny-library = tiny_library:main\n',
  'tiny_library-1.0.dist-info/RECORD': '',
};

export const wheelName = 'tiny_library-1.0-py3-none-any.whl';

/** A Python package with a module and a program: a ZIP file with uncompressed members. */
export function tinyWheel(): Buffer {
  const members: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [path, text] of Object.entries(files)) {
    const name = Buffer.from(path);
    const content = Buffer.from(text);
    const header = headerOf(name, content);
    const member = Buffer.concat([signed('PK\x03\x04', header), name, content]);
    members.push(member);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([signed('PK\x01\x02', Buffer.concat([version, header])), tail, name]));
    offset += member.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(members.length, 4);
  end.writeUInt16LE(members.length, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...members, ...directory, signed('PK\x05\x06', end)]);
}

const version = Buffer.from([20, 0]);
/** 1 January 1980, the earliest day of the format. */
const EARLIEST_DAY = 0x21;

/** The fields that local and central headers share, from the required version to the length of the extra field. */
function headerOf(name: Buffer, content: Buffer): Buffer {
  const header = Buffer.alloc(24);
  version.copy(header);
  header.writeUInt16LE(EARLIEST_DAY, 8);
  header.writeUInt32LE(crc32(content), 10);
  header.writeUInt32LE(content.length, 14);
  header.writeUInt32LE(content.length, 18);
  header.writeUInt16LE(name.length, 22);
  return Buffer.concat([header, Buffer.alloc(2)]);
}

function signed(signature: string, rest: Buffer): Buffer {
  return Buffer.concat([Buffer.from(signature, 'latin1'), rest]);
}

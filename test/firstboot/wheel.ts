import { crc32 } from 'node:zlib';

export interface PythonPackage {
  name: string;
  version: string;
  /** Requirements for other packages. */
  requires?: string[];
  /** The contents of its files, by path. */
  files: Record<string, string | Buffer>;
  /** Interpreter, ABI and platform of compiled code; absent without any. */
  tag?: string;
}

/** The package that the checks expect: a module and a program. */
export const tinyPackage: PythonPackage = {
  name: 'tiny-library',
  version: '1.0',
  files: {
    'tiny_library.py':
      'def greeting():\n    return "a tiny library"\n\n\ndef main():\n    print(greeting())\n',
    'tiny_library-1.0.dist-info/entry_points.txt': '[console_scripts]\ntiny-library = tiny_library:main\n',
  },
};

const ANY = 'py3-none-any';

export function wheelName({ name, version, tag = ANY }: PythonPackage): string {
  return `${fileName(name)}-${version}-${tag}.whl`;
}

/** The wheel of a package: a ZIP file with uncompressed members. */
export function wheelOf(spec: PythonPackage): Buffer {
  const members: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [path, data] of Object.entries(filesOf(spec))) {
    const name = Buffer.from(path);
    const content = Buffer.from(data);
    const header = headerOf(name, content);
    const member = Buffer.concat([signed('PK\x03\x04', header), name, content]);
    members.push(member);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([signed('PK\x01\x02', Buffer.concat([formatVersion, header])), tail, name]));
    offset += member.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(members.length, 4);
  end.writeUInt16LE(members.length, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...members, ...directory, signed('PK\x05\x06', end)]);
}

function filesOf({ name, version, requires = [], files, tag = ANY }: PythonPackage): PythonPackage['files'] {
  const folder = `${fileName(name)}-${version}.dist-info`;
  const requirements = requires.map((requirement) => `Requires-Dist: ${requirement}\n`).join('');
  return {
    ...files,
    [`${folder}/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n${requirements}`,
    [`${folder}/WHEEL`]: `Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: ${tag === ANY}\nTag: ${tag}\n`,
    [`${folder}/RECORD`]: '',
  };
}

/** The name of a package in file names. */
function fileName(name: string): string {
  return name.replaceAll('-', '_');
}

const formatVersion = Buffer.from([20, 0]);
/** 1 January 1980, the earliest day of the format. */
const EARLIEST_DAY = 0x21;

/**
 * The fields that local and central headers share, from the required version to the
 * length of the extra field.
 */
function headerOf(name: Buffer, content: Buffer): Buffer {
  const header = Buffer.alloc(24);
  formatVersion.copy(header);
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

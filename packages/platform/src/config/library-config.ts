/** Resources for building libraries, by id or by name. A library's own `build` overrides them. */
export interface BuildDefaults {
  image: string | null;
  flavor: string | null;
  /** Null for the only network of the service user's project. */
  network: string | null;
  bootVolumeSizeGb: number;
  /** The archives of CPython for libraries that bring an interpreter. */
  interpreters: InterpreterArchive[];
  /** pip constraints of all installations of libraries, as `numpy==2.4.6`. */
  constraints: string[];
}

/** A gzipped tar archive of a relocatable CPython, whose only top folder is `python`. */
export interface InterpreterArchive {
  /** Equals the library's `pythonVersion`. */
  version: string;
  /** As `uname --machine` prints it. */
  architecture: 'x86_64' | 'aarch64';
  url: string;
  /** In lower-case hexadecimal. */
  sha256: string;
}

export interface LibraryBuild extends Pick<BuildDefaults, 'image' | 'flavor' | 'network'> {
  /** Shell commands that run as root, in order, before the packages are installed. */
  commands: string[];
}

export interface LibraryDefinition {
  id: string;
  name: string;
  version: string;
  /** Requirements for `pip`: `numpy`, `torch==2.5.1`. */
  packages: string[];
  dependsOn: string[];
  /** Supported systems (`os_distro` and version of the image, such as `ubuntu-22.04`); empty for any. */
  osVersions: string[];
  pythonVersion: string | null;
  /** Whether the library brings CPython of its `pythonVersion`, which is not null then. */
  interpreter: boolean;
  sizeGb: number;
  build: LibraryBuild;
}

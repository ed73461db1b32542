import type { InterpreterArchive } from './config.ts';

/** A release of the project python-build-standalone. */
const RELEASE = '20260814';

/** Pinned archives, without debug symbols. They run on each Linux with glibc 2.17 or later. */
const DEFAULT_INTERPRETERS: readonly InterpreterArchive[] = [
  archive('3.10.21', 'aarch64', '686077ed8d668e3446f03f202bc3c99955d350a0db0ace5f8ce45f1b451b54b7'),
  archive('3.10.21', 'x86_64', '807bb6746dd8b7a347fe833ee1cc2543457e5c2c98059dc454600468ee7cae7b'),
  archive('3.11.16', 'aarch64', '6a250f5c9326eebaa528d5d132cd66ebd1d7540cf45ac703f19e13f41d1be9b6'),
  archive('3.11.16', 'x86_64', '3b437f08720d3ddd9c1904532476ec9fb373e800d1598c72c907dd6d5f29b79b'),
  archive('3.12.14', 'aarch64', '2d8e17dfd732102cfeb18e0e1fa6769b24caa034e159981129590fe409c7157a'),
  archive('3.12.14', 'x86_64', '5acfa3e9ba26b51ae161c83aff278da915b590d22373a424b2ba55b8afe91fcc'),
  archive('3.13.15', 'aarch64', '985efd78c1c6521b379f7c64c2a25e6a1130f07441d1af8be441aa05260886aa'),
  archive('3.13.15', 'x86_64', 'aaca2af2ab4d7b68a712660d1334c0cfd5ec13c0312ccd30c29122d8d0342320'),
  archive('3.14.7', 'aarch64', '86dfb106b303fa6a1991f7da42ced3e11576f777be299b3162e06617b6d22542'),
  archive('3.14.7', 'x86_64', 'cefba034445d2875408d1fd4d5700ae6731563aeb54dcb39fd8164ab5c457533'),
];

function archive(
  release: string,
  architecture: InterpreterArchive['architecture'],
  sha256: string,
): InterpreterArchive {
  const file = `cpython-${release}%2B${RELEASE}-${architecture}-unknown-linux-gnu-install_only_stripped.tar.gz`;
  return {
    version: release.replace(/\.\d+$/, ''),
    architecture,
    url: `https://github.com/astral-sh/python-build-standalone/releases/download/${RELEASE}/${file}`,
    sha256,
  };
}

/** The configured archives, and the default ones of other versions and architectures. */
export function withDefaultInterpreters(configured: readonly InterpreterArchive[]): InterpreterArchive[] {
  const isReplaced = ({ version, architecture }: InterpreterArchive) =>
    configured.some((other) => other.version === version && other.architecture === architecture);
  return [...configured, ...DEFAULT_INTERPRETERS.filter((each) => !isReplaced(each))];
}

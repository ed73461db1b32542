import Joi from 'joi';
import {
  choice,
  flag,
  httpUrl,
  id,
  keyed,
  list,
  OPERATOR,
  optional,
  section,
  sha256,
  sizeGb,
  text,
  variable,
} from './kinds.ts';

/** Text that becomes a line of a file on builder machines. Reading it drops spaces at both ends. */
const line = () =>
  text()
    .trim()
    .pattern(/^\P{Cc}+$/u)
    .messages({
      'string.empty': '{{#label}} must be a line of text',
      'string.pattern.base': '{{#label}} must be a line of text',
    });
const pythonVersion = () =>
  text()
    .pattern(/^\d+(\.\d+){0,2}$/)
    .messages({ 'string.pattern.base': '{{#label}} must be a version of Python, as 3.11' });
/** A package and its versions. pip ignores neither options nor file names in a file with constraints. */
const constraint = () =>
  text()
    .trim()
    .pattern(/^[A-Za-z0-9][\w.-]* *[=<>!~][^\p{Cc}]*$/u)
    .messages({ 'string.pattern.base': '{{#label}} must be a constraint of pip, as numpy==2.4.6' });
/** Any text without NUL, which a shell cannot process. */
const shell = () =>
  Joi.string()
    .max(16_384)
    .pattern(/^[^\0]*$/)
    .messages({ 'string.pattern.base': '{{#label}} must not contain NUL' });

/** One library. Ids become parts of names and paths. */
export const librarySetting = keyed({
  id: Joi.string()
    .max(64)
    .pattern(/^[a-z0-9][a-z0-9._-]*$/)
    .messages({ 'string.pattern.base': '{{#label}} may contain only lower-case letters, digits and . _ -' })
    .required()
    .description('Id in requests; lower-case letters, digits and . _ -'),
  name: text().required().description('Name shown to users.'),
  version: line().required().description('Version shown to users; a new version needs a new build.'),
  packages: list(line()).description('Requirements for pip.'),
  depends_on: list(Joi.string()).description(
    'Ids of the libraries on which this library depends. They must be built first; builds use their ' +
      'package versions.',
  ),
  os_versions: list(text()).description('Supported systems, such as ubuntu-22.04; empty for any.'),
  python_version: optional(pythonVersion()).description('Required Python version, in quotes; null for any.'),
  interpreter: flag().description(
    'Whether the library brings CPython of this version, from `builds.interpreters`.',
  ),
  size_gb: sizeGb(20).description('Size of its prebuilt share.'),
  build: section({
    image: id().description('Image.'),
    flavor: id().description('Flavor.'),
    network: id().description('Network.'),
    commands: list(shell()).description(
      'Shell commands, run as root before the packages are installed. GATEWAY_SHARE is the folder of ' +
        'the share: its folder bin is on the search paths of instances, its folder python is the prefix ' +
        'of the interpreter, and its folder python-packages has modules for any interpreter.',
    ),
  }).description('Overrides of `builds` for this library.'),
});

export const buildsSettings = section({
  image: id()
    .description('Image with a package manager; null if each library sets its own.')
    .meta(variable('GATEWAY_BUILD_IMAGE'))
    .tag(OPERATOR),
  flavor: id()
    .description('Flavor; null if each library sets its own.')
    .meta(variable('GATEWAY_BUILD_FLAVOR'))
    .tag(OPERATOR),
  network: id()
    .description(
      'Network with access to public_endpoint.url and the package index; null for the only network of ' +
        "the service user's project.",
    )
    .meta(variable('GATEWAY_BUILD_NETWORK')),
  boot_volume_size_gb: sizeGb(20).description('Size of the boot volume.'),
  interpreters: list(
    keyed({
      version: pythonVersion().required().description("The library's python_version, in quotes."),
      architecture: choice('x86_64', 'aarch64').required().description('Of the machine: x86_64 or aarch64.'),
      url: httpUrl()
        .required()
        .description('A gzipped tar archive of a relocatable CPython with pip, in the folder `python`.'),
      sha256: sha256().required().description('Its checksum.'),
    }),
  )
    .description(
      'Archives of CPython for libraries with `interpreter`. Builders, and instances with the strategy ' +
        '"dynamic", download them. The defaults are releases of python-build-standalone for 3.10 to 3.14 ' +
        'on both architectures; an entry here replaces the default of its version and architecture.',
    )
    .example([
      {
        version: '3.11',
        architecture: 'x86_64',
        url: 'https://mirror.example.org/cpython-3.11-x86_64.tar.gz',
        sha256: '0000000000000000000000000000000000000000000000000000000000000000',
      },
    ]),
  constraints: optional(list(constraint())).description(
    'pip constraints of everything that builders and instances install, such as "numpy==2.4.6", so ' +
      'that libraries that do not depend on each other contain the same versions. A build prefers the ' +
      'versions in the shares of its dependencies. If null, the versions with which the default ' +
      'libraries were tested, unless the catalogue requires other packages.',
  ),
}).description('The machine of the service user that builds prebuilt libraries. Resources by id or by name.');

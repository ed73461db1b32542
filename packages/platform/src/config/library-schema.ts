import Joi from 'joi';
import { httpUrl, id, section, sha256, sizeGb, text } from './schema-types.ts';

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
export const librarySchema = Joi.object({
  id: Joi.string()
    .max(64)
    .pattern(/^[a-z0-9][a-z0-9._-]*$/)
    .messages({ 'string.pattern.base': '{{#label}} may contain only lower-case letters, digits and . _ -' })
    .required(),
  name: text().required(),
  version: line().required(),
  packages: Joi.array().items(line()).default([]),
  depends_on: Joi.array().items(Joi.string()).default([]),
  os_versions: Joi.array().items(text()).default([]),
  python_version: pythonVersion().allow(null).default(null),
  interpreter: Joi.boolean().default(false),
  size_gb: sizeGb(20),
  build: section({
    image: id(),
    flavor: id(),
    network: id(),
    commands: Joi.array().items(shell()).default([]),
  }),
});

/** The section `builds` of the file. */
export const buildsSchema = section({
  image: id(),
  flavor: id(),
  network: id(),
  boot_volume_size_gb: sizeGb(20),
  interpreters: Joi.array()
    .items(
      Joi.object({
        version: pythonVersion().required(),
        architecture: Joi.string().valid('x86_64', 'aarch64').required(),
        url: httpUrl().required(),
        sha256: sha256().required(),
      }),
    )
    .default([]),
  constraints: Joi.array().items(constraint()).allow(null).default(null),
});

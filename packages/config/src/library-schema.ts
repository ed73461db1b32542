import Joi from 'joi';

const text = () => Joi.string().max(255);
/** Text that becomes a line of a file on builder machines. Reading it drops spaces at both ends. */
const line = () =>
  text()
    .trim()
    .pattern(/^\P{Cc}+$/u)
    .messages({
      'string.empty': '{{#label}} must be a line of text',
      'string.pattern.base': '{{#label}} must be a line of text',
    });
export const pythonVersion = () =>
  text()
    .pattern(/^\d+(\.\d+){0,2}$/)
    .messages({ 'string.pattern.base': '{{#label}} must be a version of Python, as 3.11' });
/** A package and its versions. pip ignores neither options nor file names in a file with constraints. */
export const constraint = () =>
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
  size_gb: Joi.number().integer().min(1).max(65_536).default(20),
  build: Joi.object({
    image: text().allow(null).default(null),
    flavor: text().allow(null).default(null),
    network: text().allow(null).default(null),
    commands: Joi.array().items(shell()).default([]),
  }).default(),
});

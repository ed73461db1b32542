import Joi from 'joi';

const text = () => Joi.string().max(255);

/** One entry of the catalogue. Ids become parts of names and paths. */
export const librarySchema = Joi.object({
  id: Joi.string()
    .max(64)
    .pattern(/^[a-z0-9][a-z0-9._-]*$/)
    .messages({ 'string.pattern.base': '{{#label}} may hold lower-case letters, digits and . _ - only' })
    .required(),
  name: text().required(),
  version: text().required(),
  packages: Joi.array().items(text()).default([]),
  depends_on: Joi.array().items(Joi.string()).default([]),
  os_versions: Joi.array().items(text()).default([]),
  python_version: text().allow(null).default(null),
  size_gb: Joi.number().integer().min(1).max(65_536).default(20),
  build: Joi.object({
    image: text().allow(null).default(null),
    flavor: text().allow(null).default(null),
    network: text().allow(null).default(null),
    commands: Joi.array().items(Joi.string().max(16_384)).default([]),
  }).default(),
});

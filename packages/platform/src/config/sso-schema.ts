import Joi from 'joi';
import { baseUrl, section, text } from './schema-types.ts';

/** An id of the identity service, which becomes part of a path. */
const pathPart = () =>
  text()
    .pattern(/^[\w.-]+$/)
    .messages({ 'string.pattern.base': '{{#label}} may contain only letters, digits and _ . -' });

const providerId = () =>
  Joi.string()
    .max(64)
    .pattern(/^[a-z0-9][a-z0-9-]*$/)
    .messages({ 'string.pattern.base': '{{#label}} may contain only lower-case letters, digits and -' })
    // The address of the callback.
    .invalid('callback');

const originOf = (url: string) => (URL.canParse(url) ? new URL(url).origin : url);

export const ssoSchema = section({
  url: baseUrl().allow(null).default(null),
  providers: Joi.array()
    .items(
      Joi.object({
        id: providerId().required(),
        name: text().required(),
        identity_provider: pathPart().allow(null).default(null),
        protocol: pathPart().required(),
      }),
    )
    .max(20)
    .unique('id')
    .messages({ 'array.unique': '{{#label}} has the id of another provider' })
    .default([]),
  dashboards: Joi.array()
    .items(baseUrl())
    .max(100)
    .unique((one: string, other: string) => originOf(one) === originOf(other))
    .messages({ 'array.unique': '{{#label}} has the origin of another dashboard' })
    .default([]),
});

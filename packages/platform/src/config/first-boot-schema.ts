import Joi from 'joi';
import { baseUrl, file, httpUrl, section, text } from './schema-types.ts';

/** A URL that may contain a password, so that the message must not contain the value. */
const secretUrl = () =>
  httpUrl()
    .pattern(/^[!-~]+$/)
    .messages({
      'string.uriCustomScheme': '{{#label}} must be a URL of http or https',
      'string.pattern.base': '{{#label}} must be a URL of http or https',
    });
const directHost = () =>
  text()
    .pattern(/^[\w.:/[\]*-]+$/)
    .messages({ 'string.pattern.base': '{{#label}} must be a host, a domain, an address or a network' });

const aptWord = () =>
  text()
    .pattern(/^\w[\w.-]*$/)
    .messages({ 'string.pattern.base': '{{#label}} must be a component of the repository' });
const aptSource = () =>
  Joi.object({
    name: text()
      .pattern(/^[a-z0-9][a-z0-9-]*$/)
      .messages({ 'string.pattern.base': '{{#label}} must have only lower-case letters, digits and hyphens' })
      .required(),
    url: baseUrl()
      // cloud-init replaces other words with a dollar, and apt reads brackets as options.
      .pattern(/^(?:[\w.:/~%+-]|\$\(ARCH\))+$/, 'plain')
      .messages({
        'string.pattern.name':
          '{{#label}} must be a plain URL, in which "$(ARCH)" may stand for the architecture',
      })
      .required(),
    suite: text()
      .pattern(/^(?:\$RELEASE|\w)?[\w./-]*$/)
      .messages({
        'string.pattern.base': '{{#label}} must be the suite of the repository, such as "stable" or "/"',
      })
      .required(),
    components: Joi.array().items(aptWord()).default([]),
    key_file: Joi.string().required(),
  })
    .custom((source: { suite: string; components: string[] }, helpers) =>
      source.suite.endsWith('/') === (source.components.length === 0)
        ? source
        : helpers.error('apt.components'),
    )
    .messages({
      'apt.components': '{{#label}} must have "components", or a "suite" that ends with "/", but not both',
    });

/** The section `first_boot` of the file. */
export const firstBootSchema = section({
  pip_index_url: secretUrl().allow(null).default(null),
  pip_extra_index_urls: Joi.array().items(secretUrl()).default([]),
  proxy: secretUrl().allow(null).default(null),
  no_proxy: Joi.array().items(directHost()).default([]),
  ca_file: file(),
  apt_mirror: baseUrl().allow(null).default(null),
  apt_security_mirror: baseUrl().allow(null).default(null),
  apt_sources: Joi.array()
    .items(aptSource())
    .unique('name')
    .messages({ 'array.unique': '{{#label}} has the name of an earlier one' })
    .default([]),
  ntp_servers: Joi.array()
    .items(Joi.string().hostname().messages({ 'string.hostname': '{{#label}} must be a host or an address' }))
    .default([]),
});

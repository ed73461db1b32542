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

/** The section `first_boot` of the file. */
export const firstBootSchema = section({
  pip_index_url: secretUrl().allow(null).default(null),
  pip_extra_index_urls: Joi.array().items(secretUrl()).default([]),
  proxy: secretUrl().allow(null).default(null),
  no_proxy: Joi.array().items(directHost()).default([]),
  ca_file: file(),
  apt_mirror: baseUrl().allow(null).default(null),
  apt_security_mirror: baseUrl().allow(null).default(null),
  ntp_servers: Joi.array()
    .items(Joi.string().hostname().messages({ 'string.hostname': '{{#label}} must be a host or an address' }))
    .default([]),
});

import Joi from 'joi';
import { baseUrl, keyed, list, OPERATOR, optional, section, text } from './kinds.ts';

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

export const ssoSettings = section({
  url: optional(baseUrl()).description(
    'URL of the identity service for browsers, with or without /v3; null if it is identity.url.',
  ),
  providers: list(
    keyed({
      id: providerId().required().description('Id in the addresses of the gateway.'),
      name: text().required().description('Shown to users.'),
      identity_provider: optional(pathPart()).description(
        'Id of the identity provider in the identity service; null if the protocol alone leads to it.',
      ),
      protocol: pathPart().required().description('Id of the protocol in the identity service.'),
    }),
  )
    .max(20)
    .unique('id')
    .messages({ 'array.unique': '{{#label}} has the id of another provider' })
    .description('What users can choose from; none switches single sign-on off. Needs public_endpoint.url.')
    .example([{ id: 'company', name: 'Company account', identity_provider: 'keycloak', protocol: 'openid' }])
    .tag(OPERATOR),
  dashboards: list(baseUrl())
    .max(100)
    .unique((one: string, other: string) => originOf(one) === originOf(other))
    .messages({ 'array.unique': '{{#label}} has the origin of another dashboard' })
    .description(
      'Pages to which browsers return, one for each origin. Their origins also stand in http.cors_origins.',
    )
    .example(['https://dashboard.example.org/signed-in'])
    .tag(OPERATOR),
}).description('Single sign-on. docs/single-sign-on.md says what the identity service needs for it.');

import Joi from 'joi';

import { type CookieChoice, useCookieField } from '../auth/schemas.ts';

export interface ProviderParams {
  provider: string;
}

export const providerParams = Joi.object<ProviderParams, true>({
  provider: Joi.string().min(1).max(64).required(),
});

/** 32 bytes in base64url. */
const secretText = () =>
  Joi.string()
    .pattern(/^[\w-]{43}$/)
    .messages({ 'string.pattern.base': 'must be 32 bytes in base64url without padding' });

export interface SignOnQuery {
  origin: string;
  challenge: string;
  page: 'dashboard' | 'operators';
}

export const signOnQuery = Joi.object<SignOnQuery, true>({
  origin: Joi.string()
    .max(2048)
    .required()
    .description('The origin of the page that begins, which the gateway has to know.'),
  challenge: secretText().required().description('The SHA-256 of a random verifier that the page keeps.'),
  page: Joi.string()
    .valid('dashboard', 'operators')
    .default('dashboard')
    .description("Whether the browser returns to the dashboard of the origin or to the operators' page."),
});

export interface SignOnForm {
  token: string;
}

export const signOnForm = Joi.object<SignOnForm, true>({
  // Any other text cannot be a header, so it is no token.
  token: Joi.string()
    .max(16_384)
    .pattern(/^[\x21-\x7e]+$/)
    .required(),
}).required();

export interface ExchangeBody extends CookieChoice {
  code: string;
  verifier: string;
}

export const exchangeBody = Joi.object<ExchangeBody, true>({
  code: Joi.string().min(1).max(255).required().description('From the fragment of the address.'),
  verifier: Joi.string().min(1).max(255).required().description('The text whose SHA-256 is the challenge.'),
  use_cookie: useCookieField(),
})
  .meta({ example: () => ({ code: 'MQh5zT1b7bG3ZkGvC0n2Xw8JpYq6uRs4dLfEaTiKoNc' }) })
  .required();

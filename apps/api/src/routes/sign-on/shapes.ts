import { nonEmptyText, shape } from '@gateway/core/shapes';

/** A way to log in without a password of the cloud. */
export const providerShape = shape('SignOnProvider', {
  id: nonEmptyText('company').describe('For `GET /api/auth/sso/{provider}`.'),
  name: nonEmptyText('Company account').describe('To show to users.'),
});

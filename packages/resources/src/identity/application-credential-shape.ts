import {
  flag,
  id,
  listOf,
  nonEmptyText,
  part,
  type ShapeType,
  shape,
  text,
  timestamp,
} from '@gateway/core/shapes';

const fields = {
  id: id('application_credential'),
  name: nonEmptyText('ci'),
  description: text(''),
  project_id: id('project').describe('The project in which it works.'),
  project_name: text('demo').nullable().describe('Null for another project than that of the token.'),
  roles: listOf(nonEmptyText('member')),
  expires_at: timestamp('2026-11-22T10:30:00Z').nullable(),
  unrestricted: flag().describe('Whether it may manage other credentials of its user.'),
  access_rules: listOf(
    part({
      service: nonEmptyText('compute'),
      method: nonEmptyText('GET'),
      path: nonEmptyText('/v2.1/servers'),
    }),
  ).nullable(),
};

export const applicationCredentialShape = shape('ApplicationCredential', fields);

export type ApplicationCredential = ShapeType<typeof applicationCredentialShape>;

export const newApplicationCredentialShape = shape(
  'CreatedApplicationCredential',
  {
    ...fields,
    secret: nonEmptyText('pGXn0fxqcDKqPvB1e9vM3eJgUN8Q').describe(
      'Only in this response. Nobody can read it again.',
    ),
  },
  () => ({ access_rules: null }),
);

export type NewApplicationCredential = ShapeType<typeof newApplicationCredentialShape>;

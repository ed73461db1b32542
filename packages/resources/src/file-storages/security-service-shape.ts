import {
  id,
  listOf,
  namesBeside,
  nonEmptyText,
  type ShapeType,
  shape,
  text,
  timestamp,
} from '@gateway/core/shapes';

/** Without the password, which no response has. */
export const securityServiceShape = shape('SecurityService', {
  id: id('security_service'),
  name: text('offices'),
  description: text(''),
  type: nonEmptyText('active_directory').describe('`active_directory`, `kerberos` or `ldap`.'),
  dns_ip: text('10.0.0.5'),
  server: text(''),
  domain: text('ad.example.org'),
  ou: text('OU=Shares,DC=ad,DC=example,DC=org'),
  user: text('share-admin'),
  share_network_ids: listOf(id('share_network')).describe('The share networks that use it.'),
  share_network_names: namesBeside('exports'),
  created_at: timestamp().nullable(),
});

/** Where storage systems ask who a user is. */
export type SecurityService = ShapeType<typeof securityServiceShape>;

import { type SecurityServiceCreate, securityServiceTypes } from '@gateway/openstack';
import Joi from 'joi';
import { descriptionField, existingNameField, nameField, passwordField } from '../../http/schemas/fields.ts';
import { addressField } from '../../http/schemas/network-addresses.ts';

/** What the service stores of a user or a password. */
const MAX_LENGTH = 255;

export const createSecurityServiceBody = Joi.object<SecurityServiceCreate, true>({
  name: nameField().required(),
  type: Joi.string()
    .valid(...securityServiceTypes)
    .required(),
  description: descriptionField(),
  dns_ip: addressField().description('The name server of the domain, as the share network reaches it.'),
  server: existingNameField().description('The name or address of the server of LDAP or Kerberos.'),
  domain: existingNameField(),
  ou: existingNameField().description('The organizational unit, of an Active Directory.'),
  user: existingNameField().description('With whose rights storage systems join the domain.'),
  password: passwordField().max(MAX_LENGTH).description('Of this user. No response has it.'),
})
  .required()
  .meta({ name: 'CreateSecurityService' });

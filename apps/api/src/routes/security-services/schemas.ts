import { isIP } from 'node:net';
import { type SecurityServiceCreate, securityServiceTypes } from '@gateway/openstack';
import Joi, { type CustomHelpers } from 'joi';
import { descriptionField, existingNameField, nameField, passwordField } from '../../http/schemas/fields.ts';

/** What the service stores of a user or a password. */
const MAX_LENGTH = 255;
const MAX_NAME_SERVERS_LENGTH = 64;

/** The service takes any text. Storage systems that know several name servers expect commas. */
const nameServersField = Joi.string()
  .max(MAX_NAME_SERVERS_LENGTH)
  .custom((text: string, helpers: CustomHelpers): string | Joi.ErrorReport => {
    const addresses = text.split(',').map((address) => address.trim());
    if (addresses.every((address) => isIP(address) !== 0)) return addresses.join(',');
    return helpers.message({ custom: 'must be an IP address, or some, separated by commas' });
  })
  .description(
    'The name server of the domain, as the share network reaches it; several, separated by commas, where the storage system of the site knows them.',
  )
  .meta({ example: () => '10.0.0.5' });

export const createSecurityServiceBody = Joi.object<SecurityServiceCreate, true>({
  name: nameField().required(),
  type: Joi.string()
    .valid(...securityServiceTypes)
    .required(),
  description: descriptionField(),
  dns_ip: nameServersField,
  server: existingNameField().description('The name or address of the server of LDAP or Kerberos.'),
  domain: existingNameField(),
  ou: existingNameField().description('The organizational unit, of an Active Directory.'),
  user: existingNameField().description('With whose rights storage systems join the domain.'),
  password: passwordField().max(MAX_LENGTH).description('Of this user. No response has it.'),
})
  .required()
  .meta({ name: 'CreateSecurityService' });

import { type KeypairType, keypairTypes } from '@gateway/resources';
import Joi from 'joi';
import { existingNameField, nameField } from '../../http/schemas/fields.ts';

export interface KeypairBody {
  name: string;
  public_key?: string;
  key_type: KeypairType['name'];
}

export const keypairBody = Joi.object<KeypairBody, true>({
  name: nameField().required(),
  public_key: Joi.string()
    .min(1)
    .max(65_535)
    .description('Without it the service generates a key pair.')
    .meta({ contentMediaType: 'text/plain' }),
  key_type: Joi.string()
    .valid(...keypairTypes.map(({ name }) => name))
    .default('ssh')
    .meta({ name: 'KeypairTypeName' }),
}).required();

export const keypairParams = Joi.object<{ keypair_name: string }, true>({
  keypair_name: existingNameField().required(),
});

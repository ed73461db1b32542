import { type Keypair, type KeypairType, keypairTypes, type NewKeypair } from '@gateway/resources';
import Joi from 'joi';
import { existingNameField, nameField, shape, text, timestamp } from '../../http/schemas/fields.ts';

export interface KeypairBody {
  name: string;
  public_key?: string;
  key_type: KeypairType['name'];
}

export const keypairBody = Joi.object<KeypairBody, true>({
  name: nameField().required(),
  public_key: Joi.string().min(1).max(65_535).description('Without it the service generates a key pair.'),
  key_type: Joi.string()
    .valid(...keypairTypes.map(({ name }) => name))
    .default('ssh'),
}).required();

export const keypairShape = shape<Keypair>(
  'Keypair',
  {
    name: Joi.string(),
    fingerprint: text(),
    type: Joi.string(),
    created_at: timestamp().allow(null),
  },
  () => ({ type: 'ssh' }),
);

export const keypairTypeShape = shape<KeypairType>('KeypairType', {
  name: Joi.string().valid(...keypairTypes.map(({ name }) => name)),
  description: text(),
  is_default: Joi.boolean(),
});

export const newKeypairShape = shape<NewKeypair>('NewKeypair', {
  name: Joi.string(),
  fingerprint: text(),
  public_key: text(),
  private_key: Joi.string()
    .optional()
    .description('Present only in this response, if the service has generated the key pair.'),
});

export const keypairParams = Joi.object<{ keypair_name: string }, true>({
  keypair_name: existingNameField().required(),
});

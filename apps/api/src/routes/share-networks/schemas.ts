import Joi from 'joi';
import { descriptionField, idField, nameField } from '../../http/schemas/fields.ts';

export interface CreateShareNetworkBody {
  name: string;
  description?: string;
  subnet_id?: string;
}

export const createShareNetworkBody = Joi.object<CreateShareNetworkBody, true>({
  name: nameField().required(),
  description: descriptionField(),
  subnet_id: idField().description('A subnet that the project sees. The network follows from it.'),
})
  .required()
  .meta({ name: 'CreateShareNetwork' });

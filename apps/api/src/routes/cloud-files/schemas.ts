import Joi from 'joi';
import { idField } from '../../http/schemas/fields.ts';

export interface CloudFileQuery {
  application_credential_id?: string;
}

export const cloudFileQuery = Joi.object<CloudFileQuery, true>({
  application_credential_id: idField().description('Logs in with this credential in place of the user.'),
});

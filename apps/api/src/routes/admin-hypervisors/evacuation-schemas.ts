import Joi from 'joi';
import { descriptionField } from '../../http/schemas/fields.ts';

export interface EvacuationBody {
  disabled_reason?: string;
  host_is_off: boolean;
}

export const evacuationBody = Joi.object<EvacuationBody, true>({
  disabled_reason: descriptionField().description('`Evacuation` by default.'),
  host_is_off: Joi.boolean()
    .strict()
    .default(false)
    .description(
      'Required for a host whose state is `down`: that it is powered off, so that none of its instances runs twice.',
    ),
})
  .required()
  .meta({ name: 'EvacuateHost', example: () => ({ disabled_reason: 'New memory' }) });

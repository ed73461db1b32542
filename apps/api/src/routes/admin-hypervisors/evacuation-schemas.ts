import { type EvacuatedInstance, type EvacuationPreview, MOVES } from '@gateway/resources';
import Joi from 'joi';
import { descriptionField, listOf, nullableText, part, shape, text } from '../../http/schemas/fields.ts';

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

export interface StartedEvacuation {
  job_id: string;
  hypervisor_id: string;
}

export const startedEvacuationShape = shape<StartedEvacuation>('StartedEvacuation', {
  job_id: Joi.string(),
  hypervisor_id: Joi.string(),
});

export const evacuationPreviewShape = shape<EvacuationPreview>(
  'EvacuationPreview',
  {
    hypervisor_id: Joi.string(),
    hypervisor_name: text(),
    state: Joi.string().description('`up` or `down`.'),
    status: Joi.string().description('`enabled` or `disabled`.'),
    instances: listOf(
      part<EvacuatedInstance>({
        id: Joi.string(),
        name: text(),
        status: Joi.string(),
        project_id: text(),
        project_name: nullableText(),
        move: Joi.string()
          .valid(...MOVES, null)
          .description(
            'While it runs (`live_migrate`), stopped (`migrate`), or built anew because the host is down (`evacuate`); null if it stays.',
          ),
        reason: nullableText().description('Why it stays.'),
      }),
    ),
  },
  () => ({
    state: 'up',
    status: 'enabled',
    instances: [{ status: 'ACTIVE', move: 'live_migrate', reason: null }],
  }),
);

import { id, idOrEmpty, listOf, nonEmptyText, oneOf, part, shapeLike, text } from '@gateway/core/shapes';
import { type EvacuationPreview, MOVES } from '@gateway/resources';
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

export interface StartedEvacuation {
  job_id: string;
  hypervisor_id: string;
}

export const startedEvacuationShape = shapeLike<StartedEvacuation>('StartedEvacuation', {
  job_id: id('job'),
  hypervisor_id: id('hypervisor'),
});

export const evacuationPreviewShape = shapeLike<EvacuationPreview>('EvacuationPreview', {
  hypervisor_id: id('hypervisor'),
  hypervisor_name: text('compute-1'),
  state: nonEmptyText('up').describe('`up` or `down`.'),
  status: nonEmptyText('enabled').describe('`enabled` or `disabled`.'),
  instances: listOf(
    part({
      id: id('instance'),
      name: text('web-1'),
      status: nonEmptyText('ACTIVE'),
      project_id: idOrEmpty('project'),
      project_name: text('demo').nullable(),
      move: oneOf([...MOVES], 'live_migrate')
        .nullable()
        .describe(
          'While it runs (`live_migrate`), stopped (`migrate`), or built anew because the host is down (`evacuate`); null if it stays.',
        ),
      reason: text().nullable().describe('Why it stays.'),
    }),
  ),
});

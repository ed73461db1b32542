import type { Container } from '@gateway/resources';
import Joi from 'joi';
import {
  existingNameField,
  type FieldsOf,
  listOf,
  nameField,
  part,
  shape,
  text,
  timestamp,
} from '../../http/schemas/fields.ts';

export interface CreateContainerBody {
  image: string;
  name?: string;
  command?: string;
  cpu?: number;
  memory?: number;
}

/** What Linux takes as one argument of a program. */
const MAX_COMMAND_LENGTH = 131_071;
/** The service fails with 500 on an open quote, and on a backslash at the end. */
const COMMAND = /^(?:[^'"\\]|\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*")*$/;

export const createContainerBody = Joi.object<CreateContainerBody, true>({
  image: existingNameField().required().description('As a container registry names it: `nginx:1.27`.'),
  name: nameField(),
  command: Joi.string()
    .max(MAX_COMMAND_LENGTH)
    .pattern(COMMAND, 'arguments with closed quotes')
    .description('Arguments with blanks between, in quotes where they contain some, as in a shell.'),
  cpu: Joi.number().greater(0).description('Cores.'),
  memory: Joi.number().integer().min(1).description('MB.'),
})
  .required()
  .meta({ name: 'CreateContainer', example: () => ({ image: 'nginx:1.27', name: 'worker' }) });

export const containerFields: FieldsOf<Container> = {
  id: Joi.string(),
  name: text(),
  status: Joi.string().description(
    'As in the container service: `Creating`, `Created`, `Running`, `Stopped`, `Error`, …',
  ),
  status_reason: text(),
  image: text(),
  command: text(),
  cpu: Joi.number().allow(null).description('Cores; null without a limit.'),
  memory: Joi.number().integer().allow(null).description('MB; null without a limit.'),
  addresses: listOf(
    part({
      addr: Joi.string(),
      type: Joi.string().valid('fixed', 'floating'),
      network_name: text(),
    }),
  ),
  host: Joi.string().allow(null).description('Null for users who may not see it.'),
  created_at: timestamp().allow(null),
};

export const containerShape = shape<Container>('Container', containerFields, () => ({
  status: 'Running',
  status_reason: '',
  image: 'nginx:1.27',
}));

export function actionShape(name: string, status: string) {
  return shape<{ status: string }>(name, { status: Joi.string().valid(status) });
}

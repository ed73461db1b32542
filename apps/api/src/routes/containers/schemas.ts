import Joi from 'joi';
import { existingNameField, nameField } from '../../http/schemas/fields.ts';

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

export interface ContainerLogQuery {
  length: number;
}

/** A log has no other limit. */
const MAX_LINES = 10_000;

export const containerLogQuery = Joi.object<ContainerLogQuery, true>({
  length: Joi.number()
    .integer()
    .min(1)
    .max(MAX_LINES)
    .default(100)
    .description('How many of the last lines.'),
});

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

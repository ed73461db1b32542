import { type FirstBootReport, STAGE_PATTERN } from '@gateway/libraries';
import Joi from 'joi';
import { reportedErrorField } from '../../http/schemas/fields.ts';

export interface FirstBootReportBody extends FirstBootReport {
  token: string;
  reason?: string | null;
}

export const firstBootReportBody = Joi.object<FirstBootReportBody, true>({
  token: Joi.string().max(255).required(),
  boot: Joi.string()
    .max(64)
    .pattern(/^[\w-]+$/)
    .required()
    .description('Identifies a boot of the instance.'),
  sequence: Joi.number().integer().min(0).required().description('Increases within a boot.'),
  stage: Joi.string().pattern(STAGE_PATTERN).required().description('The current stage of the boot.'),
  result: Joi.string()
    .valid('running', 'ready', 'failed')
    .required()
    .description('A result that is not `running` is the final one of the boot, and replaces the token.'),
  reason: reportedErrorField().description('Why the stage has failed.'),
})
  .required()
  .meta({
    name: 'FirstBootReport',
    example: () => ({
      boot: '4bd7f1b4-95b7-4a0e-9b0f-2f3a1c5d6e70',
      sequence: 4211,
      stage: 'layers',
      result: 'failed',
      reason: 'mount.nfs: Connection timed out',
    }),
  });

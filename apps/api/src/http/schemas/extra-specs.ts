import { nonEmptyText, shape, text } from '@gateway/core/shapes';
import Joi from 'joi';

/** One extra spec of a flavor or a volume type. */
export interface ExtraSpecBody {
  key: string;
  value: string;
}

/** What the services accept. */
const EXTRA_SPEC_KEY = /^[a-zA-Z0-9_:. -]{1,255}$/;

const extraSpecKey = () =>
  Joi.string()
    .pattern(EXTRA_SPEC_KEY)
    .messages({ 'string.pattern.base': 'must be 1 to 255 of letters, digits, blanks and -_:.' });

const extraSpecValue = () => Joi.string().max(255).allow('');

export const extraSpecBody = Joi.object<ExtraSpecBody, true>({
  key: extraSpecKey().required(),
  value: extraSpecValue().required(),
}).required();

export const extraSpecsField = () =>
  Joi.object<Record<string, string>>().pattern(extraSpecKey(), extraSpecValue());

export const extraSpecShape = shape('ExtraSpec', {
  key: nonEmptyText('hw:cpu_policy'),
  value: text('dedicated'),
});

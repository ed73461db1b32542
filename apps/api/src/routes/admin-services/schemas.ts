import { fieldsOf } from '@gateway/core/shapes';
import type { ServiceStatus } from '@gateway/resources';
import { serviceStatusShape } from '@gateway/resources/shapes';
import Joi, { type CustomHelpers } from 'joi';
import { type ListQuery, listQuery } from '../../pipeline/cached-list.ts';

type Category = Exclude<keyof ServiceStatus, 'unavailable'>;

export interface ServicesQuery extends ListQuery {
  category?: readonly Category[];
}

const MAX_LENGTH = 255;

const CATEGORIES = [...fieldsOf(serviceStatusShape).keys()].filter((name) => name !== 'unavailable');
const named = CATEGORIES.join(', ');

const categoryField = Joi.string()
  .max(MAX_LENGTH)
  .empty('')
  .custom((text: string, helpers: CustomHelpers): string[] | Joi.ErrorReport => {
    const wanted = text.split(',');
    if (wanted.every((name) => CATEGORIES.includes(name))) return wanted;
    return helpers.message({ custom: `must be some of these, separated by commas: ${named}` });
  })
  .description(`Only some of the lists ${named}, separated by commas; the others are empty.`)
  .meta({ example: () => 'compute,network' });

export const servicesQuery = listQuery.concat(
  Joi.object({ category: categoryField }),
) as Joi.ObjectSchema<ServicesQuery>;

import type { SortKey } from '@gateway/cache';
import Joi, { type CustomHelpers } from 'joi';

const MAX_LENGTH = 255;

/** A parameter that orders rows by these fields: `status,created_at:desc`. Its value is `SortKey[]`. */
export function sortField(fields: readonly string[]) {
  const names = fields.join(', ');
  return Joi.string()
    .max(MAX_LENGTH)
    .custom((text: string, helpers: CustomHelpers): SortKey[] | Joi.ErrorReport => {
      const keys = text.split(',').map(parseKey);
      const areKnown = keys.every((key) => key !== null && fields.includes(key.field));
      if (areKnown) return keys as SortKey[];
      return helpers.message({
        custom: `must be some of these fields, each with or without :desc: ${names}`,
      });
    })
    .description(
      `The order of the rows: some of the fields ${names}, separated by commas, each with \`:desc\` for the descending order.`,
    )
    .meta({ example: () => (fields.includes('created_at') ? 'created_at:desc' : fields[0]) });
}

function parseKey(text: string): SortKey | null {
  const [field = '', direction = 'asc', ...rest] = text.split(':');
  if (rest.length > 0 || (direction !== 'asc' && direction !== 'desc')) return null;
  return { field, isDescending: direction === 'desc' };
}

import { pathIds } from '../../http/schemas/fields.ts';

export interface SessionParams {
  session_id: string;
}

export const sessionParams = pathIds('session_id');

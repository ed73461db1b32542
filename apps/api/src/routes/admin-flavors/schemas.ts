import { adminFlavorShape } from '@gateway/resources/shapes';
import Joi from 'joi';
import {
  chosenIdField,
  existingNameField,
  idField,
  longDescriptionField,
  nameField,
  pathIds,
} from '../../http/schemas/fields.ts';
import { type PageQuery, pageQuery, pageShape } from '../../http/schemas/page.ts';

export interface FlavorsQuery extends PageQuery {
  is_public?: boolean;
}

export interface CreateFlavorBody {
  name: string;
  vcpus: number;
  ram: number;
  disk: number;
  is_public: boolean;
  description?: string;
}

export interface AccessBody {
  project_id: string;
}

/** What the service accepts. */
const MAX_NUMBER = 2_147_483_647;

const sizeField = (minimum: number) => Joi.number().integer().min(minimum).max(MAX_NUMBER).required();

export const flavorsQuery = Joi.object<FlavorsQuery, true>({
  ...pageQuery,
  is_public: Joi.boolean().description('Only public, or only private flavors; all if absent.'),
});

export const createFlavorBody = Joi.object<CreateFlavorBody, true>({
  name: nameField().required(),
  vcpus: sizeField(1),
  ram: sizeField(1).description('MB.'),
  disk: sizeField(0).description('GB. 0 is the size of the image.'),
  is_public: Joi.boolean().default(true),
  description: longDescriptionField(),
}).required();

export const accessBody = Joi.object<AccessBody, true>({ project_id: idField().required() }).required();

export const flavorParams = pathIds('flavor_id');
export const accessParams = pathIds('flavor_id', 'project_id');
export const extraSpecParams = Joi.object<{ flavor_id: string; key: string }, true>({
  flavor_id: chosenIdField().required(),
  key: existingNameField().required(),
});
export const flavorPageShape = pageShape('AdminFlavorPage', adminFlavorShape);

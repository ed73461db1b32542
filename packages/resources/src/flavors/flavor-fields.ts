import { flag, id, integer, mapOf, text } from '@gateway/core/shapes';

/** The fields of a flavor that everybody sees. */
export const flavorFields = {
  id: id('flavor'),
  name: text('m1.small'),
  vcpus: integer(2),
  ram: integer(2048).describe('MB.'),
  disk: integer(20).describe('GB.'),
  is_public: flag(),
  extra_specs: mapOf(text()),
  is_gpu: flag(false),
  gpu_count: integer(0).describe('0 for a flavor without GPU.'),
};

import assert from 'node:assert/strict';
import { countGpus } from '@gateway/inventory';

type Case = [what: string, specs: Record<string, string>, name: string, gpus: number];

const alias = 'pci_passthrough:alias';

const cases: Case[] = [
  // The passthrough alias.
  ['one alias with a count', { [alias]: 'a100:2' }, 'x', 2],
  ['a sum of aliases', { [alias]: 'a100:2,t4:1' }, 'x', 3],
  ['an alias without a count', { [alias]: 'a100' }, 'x', 1],
  ['a count that is no number', { [alias]: 'a100:many' }, 'x', 1],
  ['blanks around aliases and counts', { [alias]: ' a100 : 2 , t4:1 ' }, 'x', 3],
  ['audio functions, left out', { [alias]: 'a100:2,a100-audio:2' }, 'x', 2],
  ['audio in capitals, left out', { [alias]: 'NV_Audio:1,t4:1' }, 'x', 1],
  [
    'the other functions of a card, left out',
    { [alias]: 'rtx:1,rtx-usb:1,rtx_ucsi:1,rtx-serial:1,nvswitch:2' },
    'x',
    1,
  ],
  ['an empty alias', { [alias]: '' }, 'x', 0],
  ['audio alone', { [alias]: 'audio:1' }, 'x', 0],
  // Resource classes.
  ['a virtual GPU', { 'resources:VGPU': '1' }, 'x', 1],
  ['a physical GPU', { 'resources:PGPU': '4' }, 'x', 4],
  ['a numbered group', { 'resources1:VGPU': '2', 'resources2:VGPU': '1' }, 'x', 3],
  ['a named group', { resources_accel: '9', 'resources_accel:VGPU': '2' }, 'x', 2],
  ['a custom class', { 'resources:CUSTOM_GPU_A100': '9' }, 'x', 9],
  ['a custom class named at its end', { 'resources:CUSTOM_NVIDIA_VGPU': '2' }, 'x', 2],
  ['a class of a PCI device', { 'resources:CUSTOM_PCI_10DE_20B0': '2' }, 'x', 2],
  ['a class that names a model', { 'resources:CUSTOM_NVIDIA_A100': '2' }, 'x', 2],
  ['a class of an audio function', { 'resources:CUSTOM_PCI_10DE_10F7': '1' }, 'x', 0],
  [
    'other classes',
    { 'resources:VCPU': '8', 'resources:CUSTOM_GPUX': '1', 'resources:MEMORY_MB': '1' },
    'x',
    0,
  ],
  ['none of a class', { 'resources:VGPU': '0' }, 'x', 0],
  // A category.
  ['a category', { 'flavor:category': 'GPU compute' }, 'x', 1],
  ['another category', { 'flavor:category': 'memory' }, 'x', 0],
  ['a key that only looks like one', { category_gpu: 'gpu' }, 'x', 0],
  // The name.
  ['a name with a dot', {}, 'gpu.a100', 1],
  ['a name with an underscore', {}, 'gpu_v100', 1],
  ['a name with a count', {}, 'gpu.a100x2', 2],
  ['a name with a count of two digits', {}, 'GPU.T4x16', 16],
  ['a name after a prefix', {}, 'g1.gpu.a100x4', 4],
  ['a model of several parts', {}, 'gpu.a100_80gb_x2', 2],
  ['a model that ends like a count', {}, 'gpu.rtx6000', 1],
  ['such a model with a count', {}, 'gpu.rtx6000x2', 2],
  ['another such model', {}, 'gpu_gtx1080', 1],
  ['no model', {}, 'gpu', 0],
  ['no model after the dot', {}, 'gpu.', 0],
  ['a name that only holds the letters', {}, 'mygpus.large', 0],
  ['a plain name', {}, 'm1.large', 0],
  // The order of precedence.
  ['the alias before the classes', { [alias]: 'a100:2', 'resources:VGPU': '8' }, 'gpu.a100x4', 2],
  ['the classes before the category', { 'resources:VGPU': '8', 'a:category': 'gpu' }, 'gpu.a100x4', 8],
  ['the category before the name', { 'a:category': 'gpu' }, 'gpu.a100x4', 1],
];

describe('countGpus', () => {
  for (const [what, extra_specs, name, gpus] of cases) {
    it(`is ${gpus} for ${what}`, () => {
      assert.equal(countGpus({ name, extra_specs }), gpus);
    });
  }
});

import assert from 'node:assert/strict';
import { gpuDeviceOf, gpuTypesOf, hasNvidiaGpus, parseProviderName } from '@gateway/inventory';

const device = { vendorId: '10DE', deviceId: 'FFFF', name: 'B200', isAudio: false, aliases: ['big-gpu'] };

describe('the GPU of a resource class', () => {
  for (const [resourceClass, expected] of [
    ['CUSTOM_PCI_10DE_20B0', ['A100', 'NVIDIA']],
    ['CUSTOM_PCI_1002_740F', ['MI210', 'AMD']],
    ['CUSTOM_PCI_10DE_FFFF', ['10de:ffff', 'NVIDIA']],
    ['CUSTOM_PCI_8086_56C0', ['Flex 170', 'Intel']],
    ['CUSTOM_GPU_A100', ['A100', 'NVIDIA']],
    ['CUSTOM_NVIDIA_VGPU', ['NVIDIA VGPU', 'NVIDIA']],
    ['VGPU', ['VGPU', null]],
    ['PGPU', ['PGPU', null]],
    ['CUSTOM_A100_80GB', ['A100 80GB', 'NVIDIA']],
    ['CUSTOM_TESLA_T4', ['TESLA T4', 'NVIDIA']],
  ] as const) {
    it(`${resourceClass} is ${expected.join(' of ')}`, () => {
      const device = gpuDeviceOf(resourceClass);
      assert.deepEqual([device?.device_name, device?.vendor], expected);
    });
  }

  it('is none for other functions of cards and other resources', () => {
    for (const name of [
      'CUSTOM_PCI_10DE_1AEF',
      'CUSTOM_PCI_10DE_1AEB',
      'CUSTOM_PCI_10DE_1AD6',
      'CUSTOM_PCI_10DE_1AD7',
      'CUSTOM_PCI_10DE_22A3',
      'CUSTOM_GPU_AUDIO',
      'CUSTOM_A100_NVSWITCH',
      'CUSTOM_BAREMETAL_A100',
      'VCPU',
      'CUSTOM_FPGA',
      'VGPU_DISPLAY_HEAD',
      'CUSTOM_PCI_XYZ',
      // A network card, a disk, and an unknown device of a vendor of graphics cards.
      'CUSTOM_PCI_15B3_101E',
      'CUSTOM_PCI_144D_A80A',
      'CUSTOM_PCI_8086_154C',
    ]) {
      assert.equal(gpuDeviceOf(name), null, name);
    }
  });
});

describe('a device at an address', () => {
  const at = (address: string, device: string) =>
    gpuDeviceOf(`CUSTOM_PCI_${device}`, [], `gpu_1_${address}`)?.device_name;

  it('that nobody knows is a GPU only as function 0', () => {
    assert.equal(at('0000:81:00.0', '10DE_FFFF'), '10de:ffff');
    for (const fn of [1, 2, 3, 7]) assert.equal(at(`0000:81:00.${fn}`, '10DE_FFFF'), undefined);
    assert.equal(at('vgpu', '10DE_FFFF'), '10de:ffff');
  });

  it('that is known is what it is at every function', () => {
    assert.equal(at('0000:81:00.1', '10DE_20B0'), 'A100');
    assert.equal(at('0000:81:00.0', '10DE_22A3'), undefined);
    assert.equal(gpuDeviceOf('CUSTOM_PCI_10DE_FFFF', [device], 'h_0000:81:00.2')?.device_name, 'B200');
  });
});

describe('the name of a resource provider', () => {
  for (const [name, host, pciAddress] of [
    ['gpu-1_0000:81:00.0', 'gpu-1', '0000:81:00.0'],
    ['gpu_1_10000:81:00.3', 'gpu_1', '10000:81:00.3'],
    ['gpu_1_pci_0000_84_00_0', 'gpu_1', '0000:84:00.0'],
    ['gpu-1_vgpu', 'gpu-1_vgpu', null],
    ['gpu_1', 'gpu_1', null],
  ] as const) {
    it(`${name} has ${pciAddress ?? 'no'} address`, () => {
      assert.deepEqual(parseProviderName(name), { host, pciAddress });
    });
  }
});

describe('the configured devices', () => {
  it('have their names, and their audio functions are left out', () => {
    const named = gpuDeviceOf('CUSTOM_PCI_10DE_FFFF', [device]);
    assert.deepEqual(named, { device_name: 'B200', vendor: 'NVIDIA', vendor_id: '10de', device_id: 'ffff' });
    assert.equal(gpuDeviceOf('CUSTOM_PCI_10DE_FFFF', [{ ...device, isAudio: true }]), null);
    const other = { ...device, vendorId: '15b3', deviceId: '101e' };
    assert.equal(gpuDeviceOf('CUSTOM_PCI_15B3_101E', [other])?.device_name, 'B200');
  });
});

describe('the GPU types of a flavor', () => {
  const alias = 'pci_passthrough:alias';
  for (const [what, name, extra_specs, expected] of [
    ['a configured alias', 'x', { [alias]: 'Big GPU:2' }, { b200: { type: 'B200', count: 2 } }],
    ['an alias that is the name of a device', 'x', { [alias]: 'a100' }, { a100: { type: 'A100', count: 1 } }],
    ['an unknown alias', 'x', { [alias]: 'foo_1:3' }, { foo1: { type: 'foo_1', count: 3 } }],
    [
      'several classes',
      'x',
      { 'resources:VGPU': '1', 'resources2:CUSTOM_GPU_A100': '2' },
      { vgpu: { type: 'VGPU', count: 1 }, a100: { type: 'A100', count: 2 } },
    ],
    ['a name', 'gpu.rtx-a6000x4', {}, { rtxa6000: { type: 'RTX A6000', count: 4 } }],
    ['a category with a name', 'gpu_t4x2', { 'a:category': 'gpu' }, { t4: { type: 'T4', count: 1 } }],
    ['a category alone', 'x', { 'a:category': 'gpu' }, { gpu: { type: 'GPU', count: 1 } }],
    ['no GPU', 'm1.large', { 'resources:VGPU': '0' }, {}],
  ] as const) {
    it(`follow from ${what}`, () => {
      assert.deepEqual(gpuTypesOf({ name, extra_specs }, [device]), expected);
    });
  }
});

describe('a flavor has GPUs of NVIDIA', () => {
  const alias = 'pci_passthrough:alias';
  const amd = { ...device, vendorId: '1002', name: 'MI400', aliases: ['mi400'] };
  for (const [what, name, extra_specs, expected] of [
    ['with a known device', 'gpu.a100', {}, true],
    ['with an unknown device', 'x', { [alias]: 'card:1' }, true],
    ['with a class that names no vendor', 'x', { 'resources:VGPU': '1' }, true],
    ['with a configured device of its own', 'x', { [alias]: 'big-gpu:1' }, true],
    ['with a device of each of two vendors', 'x', { [alias]: 'MI210:1,T4:1' }, true],
    ['not with a known device of another vendor', 'gpu.mi210x2', {}, false],
    ['not with a name in lower case', 'gpu.flex170', {}, false],
    ['not with a class of another vendor', 'x', { 'resources:CUSTOM_PCI_1002_740F': '1' }, false],
    ['not with a configured device of another vendor', 'x', { [alias]: 'mi400:1' }, false],
    ['not without GPUs', 'm1.small', {}, false],
  ] as const) {
    it(what, () => assert.equal(hasNvidiaGpus({ name, extra_specs }, [device, amd]), expected));
  }
});

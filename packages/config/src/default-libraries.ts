import type { LibraryBuild, LibraryDefinition } from './config.ts';

/** With the values of `builds`. */
const DEFAULT_BUILD: LibraryBuild = { image: null, flavor: null, network: null, commands: [] };

/** The default of `libraries`: a Python runtime, and sets of packages that depend on it. */
export const DEFAULT_LIBRARIES: readonly LibraryDefinition[] = [
  {
    id: 'python311',
    name: 'Python 3.11',
    version: '3.11',
    packages: ['pip', 'setuptools', 'wheel'],
    dependsOn: [],
    osVersions: [],
    pythonVersion: '3.11',
    interpreter: true,
    sizeGb: 20,
    build: DEFAULT_BUILD,
  },
  packageSet('numpy-stack', 'NumPy, SciPy and pandas', '2.2', 20, ['numpy', 'scipy', 'pandas', 'matplotlib']),
  packageSet('pytorch', 'PyTorch', '2.5', 40, ['torch', 'torchvision', 'torchaudio'], ['numpy-stack']),
  packageSet('jupyter', 'JupyterLab', '4.3', 20, ['jupyterlab', 'ipykernel', 'ipywidgets']),
];

function packageSet(
  id: string,
  name: string,
  version: string,
  sizeGb: number,
  packages: string[],
  additionalDependencies: string[] = [],
): LibraryDefinition {
  return {
    id,
    name,
    version,
    packages,
    dependsOn: ['python311', ...additionalDependencies],
    osVersions: [],
    pythonVersion: '3.11',
    interpreter: false,
    sizeGb,
    build: DEFAULT_BUILD,
  };
}

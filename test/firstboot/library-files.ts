/** The files of a library's share that the checks expect. */
export const libraryFiles = {
  'lib/README': 'library v1\n',
  'lib/unwanted': 'to be removed\n',
  'bin/hello': '#!/bin/sh\necho hello from the library\n',
  'python-packages/layered.py': 'source = "the library"\n',
};

import { Argument, Option } from 'commander';
import type { Parameter } from '../catalog/operation.ts';

/** An argument that names a row of a list, and so a parameter of a path. */
export class NamingArgument extends Argument {
  readonly parameter: Parameter;

  constructor(name: string, parameter: Parameter) {
    super(name, parameter.list === undefined ? 'id' : 'name or id');
    this.parameter = parameter;
  }
}

/** An option that names a row of a list. */
export class NamingOption extends Option {
  readonly list: string;

  constructor(flags: string, description: string, list: string) {
    super(flags, description);
    this.list = list;
  }
}

/** An option that takes a file. */
export class FileOption extends Option {
  /** Stands before the path, if the value may be something else. */
  readonly mark: string;

  constructor(flags: string, description: string, mark = '') {
    super(flags, description);
    this.mark = mark;
  }
}

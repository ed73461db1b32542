import { type Copy, DockerfileParser, type Env, type JSONInstruction } from 'dockerfile-ast';

/** One instruction of a stage, as far as the image of this project uses it. */
export type Instruction =
  | { keyword: 'COPY'; from: string | undefined; sources: string[]; target: string }
  | { keyword: 'RUN'; command: string }
  | { keyword: 'ENV'; variables: Record<string, string> }
  | { keyword: 'WORKDIR' | 'USER'; value: string }
  | { keyword: 'CMD'; command: string[] };

export interface Stage {
  name: string | undefined;
  instructions: Instruction[];
}

/** What says something about the image, and adds nothing to its files. */
const METADATA = ['EXPOSE', 'STOPSIGNAL', 'HEALTHCHECK'];

/** @throws on an instruction that the tests of the image do not know */
export function readDockerfile(text: string): Stage[] {
  const stages: Stage[] = [];
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    const keyword = instruction.getKeyword();
    const values = instruction.getArguments().map((argument) => argument.getValue());
    const stage = stages.at(-1);
    if (keyword === 'FROM')
      stages.push({ name: values[1] === 'AS' ? values[2] : undefined, instructions: [] });
    else if (METADATA.includes(keyword)) continue;
    else if (stage) stage.instructions.push(readInstruction(keyword, values, instruction));
    else if (keyword !== 'ARG') throw new Error(`${keyword} before the first stage`);
  }
  return stages;
}

function readInstruction(keyword: string, values: string[], instruction: unknown): Instruction {
  switch (keyword) {
    case 'COPY': {
      const from = (instruction as Copy).getFromFlag()?.getValue() ?? undefined;
      return { keyword, from, sources: values.slice(0, -1), target: values.at(-1) ?? '' };
    }
    case 'RUN':
      return { keyword, command: values.join(' ') };
    case 'ENV': {
      const properties = (instruction as Env).getProperties();
      const variables = Object.fromEntries(properties.map((one) => [one.getName(), one.getValue() ?? '']));
      return { keyword, variables };
    }
    case 'WORKDIR':
    case 'USER':
      return { keyword, value: values[0] ?? '' };
    case 'CMD': {
      const strings = (instruction as JSONInstruction).getJSONStrings();
      return { keyword, command: strings.map((one) => one.getJSONValue()) };
    }
    default:
      throw new Error(`the instruction ${keyword} is not known here`);
  }
}

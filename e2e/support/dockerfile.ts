/** One instruction of a Dockerfile, with what follows its name. */
export interface Instruction {
  readonly name: string
  readonly rest: string
}

/** The instructions of each stage, from one FROM to the next. */
export function stagesOf(dockerfile: string): readonly (readonly Instruction[])[] {
  const lines = dockerfile.replaceAll(/^#.*\n/gm, '').replaceAll(/\\\n\s*/g, '')
  const stages: Instruction[][] = []
  for (const line of lines.split('\n').filter(Boolean)) {
    const [, name = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    if (name === 'FROM') stages.push([])
    stages.at(-1)?.push({ name, rest })
  }
  return stages
}

/** What every instruction of a name says, in their order. */
export function allOf(stage: readonly Instruction[], name: string): string[] {
  return stage.filter((instruction) => instruction.name === name).map(({ rest }) => rest)
}

/** What the only instruction of a name says. */
export function theOne(stage: readonly Instruction[], name: string): string {
  const [rest, ...others] = allOf(stage, name)
  if (rest === undefined || others.length > 0) throw new Error(`There is not one ${name}.`)
  return rest
}

/** The words of a command in the form of JSON, in which no shell comes between. */
export function wordsOf(command: string): string[] {
  return JSON.parse(command.slice(command.indexOf('['))) as string[]
}

/** The variables that a stage sets. */
export function variablesOf(stage: readonly Instruction[]): Record<string, string> {
  const pairs = allOf(stage, 'ENV').flatMap((rest) => rest.split(' '))
  return Object.fromEntries(pairs.map((pair) => pair.split('=') as [string, string]))
}

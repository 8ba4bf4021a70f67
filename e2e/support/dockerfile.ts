/** An instruction of a Dockerfile and its arguments. */
export interface Instruction {
  readonly name: string
  readonly rest: string
}

/** Instructions of each stage, from one FROM to the next. */
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

/** Arguments of every instruction of a name, in order. */
export function allOf(stage: readonly Instruction[], name: string): string[] {
  return stage.filter((instruction) => instruction.name === name).map(({ rest }) => rest)
}

/** Arguments of the only instruction of a name. */
export function theOne(stage: readonly Instruction[], name: string): string {
  const [rest, ...others] = allOf(stage, name)
  if (rest === undefined || others.length > 0) throw new Error(`Expected exactly one ${name}.`)
  return rest
}

/** Words of a command in exec form, which runs without a shell. */
export function wordsOf(command: string): string[] {
  return JSON.parse(command.slice(command.indexOf('['))) as string[]
}

/** Variables that a stage sets. */
export function variablesOf(stage: readonly Instruction[]): Record<string, string> {
  const pairs = allOf(stage, 'ENV').flatMap((rest) => rest.split(' '))
  return Object.fromEntries(pairs.map((pair) => pair.split('=') as [string, string]))
}

import type { Command } from 'commander'
import { count, type Line } from '../ops/doctor/report.ts'
import type { CommandContext } from './command.ts'

/** Adds `doctor`, which also runs in an invalid environment and reports it. */
export function addDoctorCommand(program: Command, context: CommandContext): void {
  program
    .command('doctor')
    .summary('Check the configuration and the services it names')
    .description(
      'Checks what the environment configures, and says how to fix what does not work. It changes nothing.',
    )
    .option('--yes', 'generate up to two images at each image service without asking, which may cost money')
    .action(async ({ yes = false }: { yes?: boolean }) => {
      if (!(await runDoctor(context, yes))) context.setExitCode(1)
    })
}

/** @returns whether there is no problem */
async function runDoctor(context: CommandContext, isConfirmed: boolean): Promise<boolean> {
  const { print, ask } = context.terminal
  const [{ diagnose }, { createEngine }, { pino }] = await Promise.all([
    import('../ops/doctor/doctor.ts'),
    import('../services.ts'),
    import('pino'),
  ])
  const log = pino({ level: 'silent' })
  const counts = { ok: 0, note: 0, problem: 0 }
  const confirm = isConfirmed ? () => Promise.resolve(true) : ask
  for await (const { title, lines } of diagnose({
    ...context,
    confirm,
    createEngine: (engine) => createEngine(engine, log),
  })) {
    print(title)
    for (const line of lines) {
      counts[line.level] += 1
      format(line).forEach(print)
    }
    print('')
  }
  const problems = counts.problem === 0 ? 'No problems' : count(counts.problem, 'problem')
  print(`${problems}, ${count(counts.note, 'note')}.`)
  return counts.problem === 0
}

/** Column where the texts begin. */
const indent = 11

/** Replaced, because text of other servers may be part of a line and must not control the terminal. */
const controlCharacters = /\p{Cc}+/gu

function format({ level, text, fix }: Line): string[] {
  const lines = [`  ${level.padEnd(indent - 2)}${text}`]
  if (fix !== undefined) lines.push(`${' '.repeat(indent)}Fix: ${fix}`)
  return lines.map((line) => line.replaceAll(controlCharacters, ' '))
}

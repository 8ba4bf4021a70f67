import type { Command } from 'commander'
import { count, type Line } from '../ops/doctor/report.ts'
import type { CommandContext } from './command.ts'

/** Adds `doctor`, which also runs in an invalid environment and reports it. */
export function addDoctorCommand(program: Command, context: CommandContext): void {
  const { print, ask } = context.terminal
  program
    .command('doctor')
    .summary('Check the configuration and the services it names')
    .description(
      'Checks what the environment configures, and says how to fix what does not work. It changes nothing.',
    )
    .option('--yes', 'generate up to two images at each image service without asking, which may cost money')
    .action(async ({ yes = false }: { yes?: boolean }) => {
      const [{ diagnose }, { createEngine, siteSecret }, { pino }] = await Promise.all([
        import('../ops/doctor/doctor.ts'),
        import('../services.ts'),
        import('pino'),
      ])
      const log = pino({ level: 'silent' })
      const counts = { ok: 0, note: 0, problem: 0 }
      for await (const [title, lines] of diagnose({
        ...context,
        confirm: yes ? () => Promise.resolve(true) : ask,
        createEngine: (engine) => createEngine(engine, log),
        siteSecret,
      })) {
        print(title)
        for await (const line of lines) {
          counts[line.level] += 1
          format(line).forEach(print)
        }
        print('')
      }
      const problems = counts.problem === 0 ? 'No problems' : count(counts.problem, 'problem')
      print(`${problems}, ${count(counts.note, 'note')}.`)
      if (counts.problem > 0) context.setExitCode(1)
    })
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

import { createRangoliEngine } from '../engines/rangoli/rangoli-engine.ts'
import { secondsInWords } from './amounts.ts'
import { describePicture } from './describe-picture.ts'
import { ok, problem, type Finding } from './finding.ts'

/** The embedded engine: draws a picture, which nobody sees. */
export async function checkRangoli(): Promise<Finding[]> {
  const began = performance.now()
  const findings = [ok('The embedded engine draws the pictures; it needs no key and no network.')]
  try {
    for await (const event of createRangoliEngine().generate('A lotus', new AbortController().signal)) {
      if (event.type !== 'complete') continue
      const took = secondsInWords(performance.now() - began)
      const described = await describePicture(event.bytes)
      findings.push(
        described ? ok(`It drew ${described.words} in ${took}.`) : cannotDraw('the picture is broken'),
      )
    }
  } catch (error) {
    const reason =
      error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
    findings.push(
      problem(
        `It can't draw (${reason}).`,
        'Install the dependencies again with npm ci, on this very machine.',
      ),
    )
  }
  return findings
}

function cannotDraw(reason: string): Finding {
  return problem(
    `It can't draw (${reason}).`,
    'Install the dependencies again with npm ci, on this very machine.',
  )
}

import { pino } from 'pino'
import type { OpenAiEngineConfig } from '../config/engine-section.ts'
import { endpointAt } from '../engines/openai/endpoint.ts'
import type { EngineFault } from '../engines/openai/engine-fault.ts'
import { mendOf } from '../engines/openai/mend.ts'
import { tryEndpoint, type Trial } from '../engines/openai/try-endpoint.ts'
import { secondsInWords } from './amounts.ts'
import { factsOf, sentence } from './check-endpoint.ts'
import { describePicture } from './describe-picture.ts'
import { note, ok, problem, type Finding } from './finding.ts'

/** A stream that ends without its picture is asked for once more. */
export const picturesMax = 2

const prompt = 'A plain blue circle'

/** Has the image service make a picture as the server would, and says how it went. Whoever calls has asked first. */
export async function tryPicture(engine: OpenAiEngineConfig, timeoutSeconds: number): Promise<Finding[]> {
  const { host } = endpointAt(engine.baseUrl)
  const signal = AbortSignal.timeout(timeoutSeconds * 1_000)
  const began = performance.now()
  const trial = await tryEndpoint({ ...engine, log: pino({ level: 'silent' }) }, prompt, signal)
  const took = performance.now() - began
  const refused = describeRefused(trial, engine)
  const { picture, fault } = trial
  if (signal.aborted) {
    return [
      ...refused,
      problem(
        `${host} made no picture in ${timeoutSeconds} seconds.`,
        'Raise IMAGE_TIMEOUT_SECONDS, or have a faster model make the pictures.',
      ),
    ]
  }
  if (fault || !picture) return [...refused, describeFault(fault, engine)]
  const described = await describePicture(picture)
  if (!described) {
    return [
      ...refused,
      problem(
        `${host} made a picture that is broken.`,
        'Look at the log of the service, and check OPENAI_IMAGE_MODEL.',
      ),
    ]
  }
  const { format, words } = described
  return [
    ok(
      `${host} made ${words}, ${trial.form === 'url' ? 'and answered with its address' : 'and answered with it in base64'}.`,
    ),
    ...(format === 'jpeg' ? [] : [note('What is no JPEG is kept as one, without any content credentials.')]),
    took > timeoutSeconds * 500
      ? note(
          `It took ${secondsInWords(took)}, more than half of what IMAGE_TIMEOUT_SECONDS allows.`,
          'Raise it, as several pictures at a time take longer.',
        )
      : ok(`It took ${secondsInWords(took)}.`),
    ...refused,
    describeStream(trial),
  ]
}

function describeRefused({ refused, picture, fault }: Trial, { model }: OpenAiEngineConfig): Finding[] {
  const names = refused.filter((name) => name !== 'stream')
  if (names.length > 0) return [ok(`It does not take ${names.join(', ')}; the server leaves that out.`)]
  return picture && !fault ? [ok(`It takes all the parameters that ${model} is asked with.`)] : []
}

function describeStream({ refused, previews }: Trial): Finding {
  if (previews > 0)
    return ok(
      `It streams: ${previews === 1 ? 'one preview' : `${previews} previews`} came before the picture.`,
    )
  return refused.includes('stream')
    ? note('It does not stream: people see nothing before the picture is finished.')
    : note('It sent no preview: people see nothing before the picture is finished.')
}

function describeFault(fault: EngineFault | null, engine: OpenAiEngineConfig): Finding {
  const { host } = endpointAt(engine.baseUrl)
  if (!fault) return problem(`${host} made no picture.`, sentence(null))
  const advice = {
    prompt_blocked: `Its moderation stopped the prompt "${prompt}"; look at its settings.`,
    engine_busy: 'It asks to wait; try again later, or raise the limit at the provider.',
    engine_timeout: 'Raise the time that the service or a gateway before it allows.',
    engine_failed: 'Look at the log of the service, and check OPENAI_IMAGE_MODEL.',
    engine_misconfigured: sentence(mendOf(fault)),
    engine_out_of_credit: sentence(mendOf(fault)),
  }
  const facts = factsOf(fault, engine)
  return problem(
    `${host} made no picture: ${fault.message}${facts === '' ? '' : ` (${facts})`}.`,
    advice[fault.code],
  )
}

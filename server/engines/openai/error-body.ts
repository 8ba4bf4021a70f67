import { isRecord, parseJson } from './untrusted-json.ts'

/** An error as OpenAI puts it, under `error`. */
export interface ErrorBody {
  readonly message?: string
  readonly code?: string
  readonly type?: string
  /** The parameter at fault, or several. */
  readonly param?: string
  readonly moderation_details?: { readonly moderation_stage?: string }
}

/** What of a message is looked at; some servers answer with a page. */
const messageMaxLength = 2_000

/** Reads an error answer in any of the shapes that are about; what can't be read is taken as a message. */
export function readErrorBody(text: string): ErrorBody {
  return readError(parseJson(text) ?? text)
}

/**
 * Puts a parsed error into OpenAI's shape. Besides that one there are a plain string under `error`
 * (stable-diffusion.cpp, xAI), `detail` as a string or an array of FastAPI's (vLLM), and the error without a wrapper.
 */
export function readError(body: unknown): ErrorBody {
  if (typeof body === 'string') return { message: body.slice(0, messageMaxLength) }
  if (Array.isArray(body)) return readError(body[0])
  if (!isRecord(body)) return {}
  const { error, detail } = body
  if (typeof error === 'string') return pick({ ...body, message: error })
  if (isRecord(error)) return pick(error)
  if (typeof detail === 'string') return pick({ ...body, message: detail })
  if (Array.isArray(detail)) return readDetails(detail)
  if (isRecord(detail)) return readError(detail)
  return pick(body)
}

/** FastAPI's list of faults: each has a place such as `['body', 'size']`, and repeats the input, which is left out. */
function readDetails(details: unknown[]): ErrorBody {
  const faults = details.filter(isRecord)
  const places = faults.flatMap(({ loc }) => (Array.isArray(loc) ? [loc.at(-1)] : []))
  return pick({ message: faults.map(({ msg }) => String(msg)).join(' '), param: places.join(' ') })
}

function pick(fields: Record<string, unknown>): ErrorBody {
  const { message, code, type, param, moderation_details: moderation } = fields
  const stage = isRecord(moderation) ? moderation['moderation_stage'] : undefined
  return {
    ...(typeof message === 'string' && { message: message.slice(0, messageMaxLength) }),
    ...(typeof code === 'string' && { code }),
    ...(typeof type === 'string' && { type }),
    ...(typeof param === 'string' && { param }),
    ...(typeof stage === 'string' && { moderation_details: { moderation_stage: stage } }),
  }
}

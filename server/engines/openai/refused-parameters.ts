import type { ImageGenerateParamsBase } from 'openai/resources/images'
import type { ErrorBody } from './error-body.ts'
import type { OptionalParameter } from './request-parameters.ts'

/** How each parameter is called in a refusal. */
const names: Record<OptionalParameter, RegExp> = {
  n: word('n'),
  size: word('size'),
  output_format: word('output_format'),
  response_format: word('response_format'),
  quality: word('quality'),
  moderation: word('moderation'),
  stream: word('stream(ing)?'),
  partial_images: word('partial_images'),
}

/** How servers that don't name the parameter in `param` say that they don't take one. */
const refusal =
  /\bun(known|supported|recognized|expected)|\b(not|n't) (be )?(support|allow|permit|implement)|\bextra (inputs|fields)|\binvalid/i

/**
 * Which of the parameters sent an error says that it does not take: those named in `param`, or else in the message.
 * Taking too many for refused does no harm: a request that was answered so has made no picture.
 */
export function refusedParameters(error: ErrorBody, sent: ImageGenerateParamsBase): OptionalParameter[] {
  const inParam = named(error.param ?? '', sent)
  if (inParam.length > 0) return inParam
  const message = error.message ?? ''
  return refusal.test(message) ? named(message, sent) : []
}

function named(text: string, sent: ImageGenerateParamsBase): OptionalParameter[] {
  return Object.entries(names).flatMap(([name, pattern]) =>
    name in sent && pattern.test(text) ? [name as OptionalParameter] : [],
  )
}

function word(pattern: string): RegExp {
  return new RegExp(`(?<![\\w-])${pattern}(?![\\w-])`, 'i')
}

import { respondError, respondImage } from '../provider-responses.ts'
import { images } from '../images.ts'
import type { Scenario } from '../scenario.ts'

const { jpeg } = images
const rateLimit = (headers?: Record<string, string>) =>
  respondError(
    429,
    { code: 'rate_limit_exceeded', type: 'requests', message: 'You can add a payment method at /billing' },
    headers,
  )

/** Waits that a provider asks for. */
export const rateLimits: Scenario[] = [
  {
    name: 'retry-after-ms',
    answers: [rateLimit({ 'retry-after-ms': '60' }), respondImage(jpeg)],
    images: [jpeg],
    logs: /"milliseconds":60/,
  },
  {
    name: 'retry-after in seconds',
    answers: [rateLimit({ 'retry-after': '0.08' }), respondImage(jpeg)],
    images: [jpeg],
    logs: /"milliseconds":80/,
  },
  {
    name: 'retry-after twice',
    answers: [rateLimit({ 'retry-after': '0' }), rateLimit({ 'retry-after': '0' }), respondImage(jpeg)],
    images: [jpeg],
  },
  {
    name: 'a wait that does not fit',
    answers: [rateLimit({ 'retry-after': '3600' })],
    fails: 'engine_busy',
    retryAfter: 3_600,
  },
  { name: 'no wait at all', answers: [rateLimit()], fails: 'engine_busy' },
  {
    name: 'one wait after another',
    answers: Array.from({ length: 6 }, () => rateLimit({ 'retry-after-ms': '1' })),
    fails: 'engine_busy',
    retryAfter: 1,
  },
  {
    name: 'a wait in which the user leaves',
    answers: [rateLimit({ 'retry-after': '50' })],
    abort: 'when asked',
  },
]

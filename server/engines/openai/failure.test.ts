import { expect, test } from 'vitest'
import { generationFailure } from '../../images/generation-outcome.ts'
import { endpointAt } from './endpoint.ts'
import { EngineFault, type FaultCode } from './engine-fault.ts'
import { toAppError } from './failure.ts'

const codes: FaultCode[] = [
  'prompt_blocked',
  'engine_failed',
  'engine_timeout',
  'engine_out_of_credit',
  'engine_misconfigured',
  'engine_busy',
]

test.each(codes)('%s says at once what a stored failure says later', (code) => {
  const { message } = toAppError(new EngineFault(code, 'a fault'), endpointAt(null), [])
  expect(message).toBe(generationFailure(code).message)
})

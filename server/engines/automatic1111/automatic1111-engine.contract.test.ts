import { afterAll, beforeAll, describe } from 'vitest'
import { createTestEngine } from '../../../test/support/automatic1111/engine.ts'
import {
  flavors,
  startAutomatic1111,
  type Automatic1111Double,
} from '../../../test/support/automatic1111/server.ts'
import { testImageEngine } from '../../../test/support/image-engine-contract.ts'

describe.each(flavors)('%s', (flavor) => {
  let server: Automatic1111Double

  beforeAll(async () => {
    server = await startAutomatic1111({ flavor })
  })

  afterAll(() => server.stop())

  testImageEngine(() => createTestEngine(server.url, { model: flavor === 'llamaswap' ? 'flux' : null }))
})

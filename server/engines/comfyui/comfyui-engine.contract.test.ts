import { afterAll, beforeAll } from 'vitest'
import { startFakeComfyUi, type FakeComfyUi } from '../../../test/support/comfyui/fake-comfyui.ts'
import { createEngine } from '../../../test/support/comfyui/scenario.ts'
import { testImageEngine } from '../../../test/support/image-engine-contract.ts'

let comfy: FakeComfyUi

beforeAll(async () => {
  comfy = await startFakeComfyUi()
})

afterAll(() => comfy.stop())

testImageEngine(() => createEngine(comfy))

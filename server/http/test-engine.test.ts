import { testImageEngine } from '../engines/image-engine-contract.ts'
import { createInstantEngine } from './test-engine.ts'

testImageEngine(createInstantEngine)

import { testImageEngine } from './image-engine-contract.ts'
import { createInstantEngine } from './engine.ts'

testImageEngine(createInstantEngine)

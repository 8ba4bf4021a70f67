import { testImageEngine } from './image-engine-contract.ts'
import { createRangoliEngine } from './rangoli/rangoli-engine.ts'

testImageEngine(createRangoliEngine)

import { testImageEngine } from '../../../test/support/image-engine-contract.ts'
import { createRangoliEngine } from './rangoli-engine.ts'

testImageEngine(createRangoliEngine)

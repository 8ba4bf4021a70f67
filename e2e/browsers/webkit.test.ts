import { webkit } from '../support/browsers/webkit.ts'
import { testBrowser } from '../support/browsers/test-browser.ts'

testBrowser(webkit())

import { chromium } from '../support/browsers/chromium.ts'
import { testBrowser } from '../support/browsers/test-browser.ts'

testBrowser(chromium())

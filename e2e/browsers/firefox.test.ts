import { firefox } from '../support/browsers/firefox.ts'
import { testBrowser } from '../support/browsers/test-browser.ts'

testBrowser(firefox())

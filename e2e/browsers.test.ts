import { firefox } from './support/browsers/firefox.ts'
import { testBrowser } from './support/browsers/test-browser.ts'
import { webkit } from './support/browsers/webkit.ts'

for (const browser of [firefox(), webkit()]) testBrowser(browser)

/** Entry of the built server, also in a packed folder: `main.js [serve | COMMAND …]`. Old versions of Node parse it, as `launch.mjs`. */
import path from 'node:path'
import { reportInstallationIssue } from './launch/check-installation.mjs'

if (!reportInstallationIssue())
  void import('./run.ts').then(({ run }) => run(path.join(import.meta.dirname, '../client')))

/**
 * Entry of npm's scripts: checks the installation, then runs `launch/launcher.mjs`. Parsed by versions of Node that are too old for the
 * rest: no new syntax, and no imports but the check.
 */
import { reportInstallationIssue } from './launch/check-installation.mjs'

if (!reportInstallationIssue()) void import('./launch/launcher.mjs')

import { execFileSync } from 'node:child_process'

/**
 * Runs npm and waits for it: the npm that runs this process, or the one in PATH.
 *
 * @param {readonly string[]} args
 * @param {string} folder
 * @param {'pipe' | 'inherit'} output `inherit` prints npm's output
 * @returns {string} its output, with `pipe`
 */
export function runNpm(args, folder, output = 'pipe') {
  const npm = process.env['npm_execpath']
  const [program, ...before] = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm']
  return execFileSync(program, [...before, ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', output, output],
  })
}

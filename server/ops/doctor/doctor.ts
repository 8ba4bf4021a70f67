import { ConfigError, type Config } from '../../config/config.ts'
import type { EngineConfig } from '../../config/engine-section.ts'
import type { ImageEngine } from '../../engines/image-engine.ts'
import { parseEndpoint } from '../../engines/openai/openai-client.ts'
import { systemCode } from '../../storage/disk-files.ts'
import { checkDatabase, readDatabase } from './database.ts'
import { checkEngineServer, generateImage } from './engine-server.ts'
import { checkEndpoint, checkRangoli, generateTestImage, maxTestImages } from './engine.ts'
import { checkEnvironment, environmentProblems } from './environment.ts'
import { checkFolders } from './folders.ts'
import { checkMail } from './mail.ts'
import { checkPostgres } from './postgres.ts'
import { checkProxy } from './proxy.ts'
import { note, problem, type Line, type Section } from './report.ts'
import { checkProvider } from './sign-in-provider.ts'
import { checkAddress, checkClerk, checkLocalAccounts, type ClerkOrigins } from './sign-in.ts'

export interface DoctorOptions {
  /** @throws ConfigError */
  readonly readConfig: () => Config
  /** The working directory, where `.env` is read. */
  readonly directory: string
  /** Such as `v20.19.0`. */
  readonly nodeVersion: string
  /** Asks before something is paid for; null where there is no terminal to ask at. */
  readonly confirm: ((question: string) => Promise<boolean>) | null
  readonly clerk: ClerkOrigins
  readonly createEngine: (engine: EngineConfig) => Promise<ImageEngine>
}

/** Checks everything that the environment configures, section by section, and changes nothing. */
export async function* diagnose(options: DoctorOptions): AsyncGenerator<Section> {
  const { directory, nodeVersion, clerk, readConfig } = options
  let config: Config
  try {
    config = readConfig()
  } catch (error) {
    yield { title: 'Environment', lines: environmentProblems(issuesOf(error), directory) }
    return
  }
  yield { title: 'Environment', lines: checkEnvironment(config, directory, nodeVersion) }
  yield { title: 'Folders', lines: await orDenied(checkFolders(config)) }
  const { lines, accounts } = await checkConfiguredDatabase(config)
  yield { title: 'Database', lines }
  yield { title: 'Sign-in', lines: await checkSignIn(config, accounts, clerk) }
  yield { title: 'Mail', lines: await checkMail(config) }
  for (const engine of config.engines) {
    const isOnly = config.engines.length === 1
    yield {
      title: isOnly ? 'Image engine' : `Image engine ${engine.label} (${engine.id})`,
      lines: await checkEngine(config, engine, options),
    }
  }
  yield { title: 'Proxy', lines: await checkProxy(config) }
}

/** @returns the lines, and the number of accounts in the database */
async function checkConfiguredDatabase(config: Config) {
  const { database } = config
  if (database.kind === 'postgres') return checkPostgres(database)
  const state = readDatabase(database.file)
  return {
    lines: await orDenied(checkDatabase(config, database.file, state)),
    accounts: state.kind === 'rangoli' ? state.content.accounts : 0,
  }
}

/** @throws whatever is neither an invalid environment nor an unreadable `.env` */
function issuesOf(error: unknown): readonly string[] {
  if (error instanceof ConfigError) return error.issues
  if (error instanceof Error && systemCode(error) !== undefined) {
    return [`.env cannot be read (${error.message}); give the user that runs the server read access.`]
  }
  throw error
}

/** Replaces the lines of a check that the operating system denied. */
async function orDenied(lines: Promise<Line[]>): Promise<Line[]> {
  try {
    return await lines
  } catch (error) {
    if (!(error instanceof Error) || systemCode(error) === undefined) throw error
    return [
      problem(`This cannot be checked (${error.message}).`, 'Run this as the user that runs the server.'),
    ]
  }
}

async function checkSignIn(config: Config, accounts: number, clerk: ClerkOrigins): Promise<Line[]> {
  const { auth, publicOrigin } = config
  if (auth.kind === 'clerk') return [...(await checkClerk(auth, clerk)), ...checkAddress(config)]
  const { provider } = auth
  return [
    ...(await checkLocalAccounts(config, auth, accounts)),
    ...(provider && publicOrigin !== null ? await checkProvider(provider, publicOrigin) : []),
    ...checkAddress(config),
  ]
}

async function checkEngine(
  { imageTimeoutSeconds }: Config,
  config: EngineConfig,
  { confirm, createEngine }: DoctorOptions,
): Promise<Line[]> {
  if (config.kind === 'rangoli') return checkRangoli()
  const isOpenAi = config.kind === 'openai'
  const host = isOpenAi ? parseEndpoint(config.baseUrl).host : new URL(config.url).host
  const lines = isOpenAi
    ? await checkEndpoint(config)
    : await checkEngineServer(config, await createEngine(config))
  if (lines.some(({ level }) => level === 'problem')) {
    return [...lines, note('No image was generated, because of that.')]
  }
  const images = isOpenAi ? `up to ${maxTestImages} images` : 'one image'
  if (await confirm?.(`This generates ${images} at ${host}, which may cost money. [y/N] `)) {
    const generated = isOpenAi
      ? generateTestImage(config, imageTimeoutSeconds)
      : generateImage(config, await createEngine(config), imageTimeoutSeconds)
    return [...lines, ...(await generated)]
  }
  return [
    ...lines,
    note(
      'No image was generated, because that may cost money.',
      `npm run doctor -- --yes generates ${images.replace(/ images?$/, '')}, and checks how.`,
    ),
  ]
}

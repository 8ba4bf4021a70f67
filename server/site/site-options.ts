import type { Logger } from 'pino'
import { z } from 'zod'
import { announcementLevels } from '../../shared/announcements.ts'
import {
  defaultSiteOptions,
  numberOptions,
  type NumberOption,
  type SiteOptions,
} from '../../shared/site-options.ts'
import { roles, type Viewer } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import type { SiteRowName } from '../db/schema.ts'
import { asAdministrator } from '../audit/admin-log.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import { dollars, wholeNumber } from '../procedures/inputs.ts'
import type { UserServices } from '../access/user-access.ts'
import type { AdministrationServices } from '../access/user-directory.ts'

/** Reads the current options of the site. Not cached, so that all processes agree. @param db a database or a transaction */
export type ReadSiteOptions = (db: Database) => Promise<SiteOptions>

const engineOptions = z.object({ isPaused: z.boolean(), access: z.enum(roles) })

const numbers = numberOptions.map((option) => {
  const { name, min, max } = option
  const isRequired = 'isRequired' in option
  const number = 'isMoney' in option ? dollars : wholeNumber
  const schema = number(`\`${name}\``, min, max, isRequired ? '.' : ', or null.')
  return [name, isRequired ? schema : schema.nullable()]
})

const schemas = {
  signUp: z.enum(['open', 'closed', 'invite']),
  ...(Object.fromEntries(numbers) as {
    [Name in NumberOption]: z.ZodType<SiteOptions[Name], SiteOptions[Name]>
  }),
  engines: z.record(z.string(), engineOptions),
  defaultEngine: z.string().nullable(),
  announcements: z.array(
    z.object({
      id: z.string(),
      text: z.string(),
      endedTheme: z.string().exactOptional(),
      level: z.enum(announcementLevels),
      link: z.string().nullable(),
      endsAt: z.string().nullable(),
    }),
  ),
} satisfies { readonly [Name in keyof SiteOptions]: z.ZodType<SiteOptions[Name]> }

/** Input of a change: any of the options, except those of engines and announcements, which have calls of their own. */
export const siteOptionsInput = z
  .strictObject(schemas)
  .omit({ announcements: true, engines: true, defaultEngine: true })
  .partial()

type SiteOptionsInput = z.output<typeof siteOptionsInput>

/**
 * Creates the function that reads the options. A stored value that is not valid, for example of a newer version, is logged once
 * and counts as the default.
 *
 * @param fixed options that environment variables fix
 * @param useEngines called with the stored engines, null for none, so that callers have the current ones
 */
export function createReadSiteOptions(
  fixed: Partial<SiteOptions>,
  log: Pick<Logger, 'error'>,
  useEngines: (stored: string | null) => Promise<void> = () => Promise.resolve(),
): ReadSiteOptions {
  const reported = new Set<string>()
  return async (db) => {
    const names = Object.keys(schemas) as (keyof SiteOptions)[]
    const rows = await readSiteRows(db, ...names, 'addedEngines')
    await useEngines(rows.get('addedEngines') ?? null)
    const stored = names.flatMap((name) => {
      const value = rows.get(name)
      if (value === undefined) return []
      const json = parseOption(value)
      const parsed = schemas[name].safeParse(json)
      if (parsed.success) return [[name, parsed.data]]
      if (!reported.has(name + value)) {
        log.error({ err: parsed.error, name, value }, 'a stored option of the site is not valid')
        reported.add(name + value)
      }
      return name === 'engines' ? [[name, validEngines(json)]] : []
    })
    return { ...defaultSiteOptions, ...(Object.fromEntries(stored) as Partial<SiteOptions>), ...fixed }
  }
}

function parseOption(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Parses the options of each engine. One with options that are not valid is for administrators, as these may restrict it. */
function validEngines(json: unknown): SiteOptions['engines'] {
  const { data = {} } = z.record(z.string(), z.unknown()).safeParse(json)
  return Object.fromEntries(
    Object.entries(data).map(([id, options]) => [
      id,
      engineOptions.safeParse(options).data ?? { isPaused: false, access: 'administrator' },
    ]),
  )
}

export interface SiteOptionServices extends UserServices, AdministrationServices {
  readonly config: { readonly fixedOptions: Partial<SiteOptions> }
  readonly readOptions: ReadSiteOptions
}

/**
 * Changes options of the site, and records what changed. Options with their current value are not recorded.
 *
 * @throws AppError `forbidden` for an option that an environment variable fixes, or if the administrator has lost the role
 */
export function updateSiteOptions(
  services: SiteOptionServices,
  administrator: Viewer,
  input: SiteOptionsInput,
): Promise<SiteOptions> {
  const { config, readOptions } = services
  return asAdministrator(services, administrator, async (transaction, record) => {
    const current = await readOptions(transaction)
    for (const name of Object.keys(input) as (keyof SiteOptionsInput)[]) {
      const value = JSON.stringify(input[name])
      if (value === undefined || value === JSON.stringify(current[name])) continue
      if (name in config.fixedOptions) throw new AppError('forbidden', describedDetail('option_fixed'))
      await storeSiteOption(transaction, name, input[name])
      const details = { name, from: JSON.stringify(current[name]), to: value }
      await record({ action: 'change_option', details })
    }
    return readOptions(transaction)
  })
}

/** Reads stored values of the site, JSON by their names. */
export async function readSiteRows(
  db: Database,
  ...names: readonly SiteRowName[]
): Promise<ReadonlyMap<SiteRowName, string>> {
  const query = db.selectFrom('site_options').select(['name', 'value']).where('name', 'in', names)
  return new Map((await query.execute()).map(({ name, value }) => [name, value]))
}

/** Stores a value of the site as JSON; null, which is the default, removes it. */
export async function storeSiteOption<Name extends SiteRowName>(
  transaction: Database,
  name: Name,
  option: Name extends keyof SiteOptions ? SiteOptions[Name] | undefined : unknown,
): Promise<void> {
  if (option === null) {
    await transaction.deleteFrom('site_options').where('name', '=', name).execute()
    return
  }
  const value = JSON.stringify(option)
  await transaction
    .insertInto('site_options')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

import type { SiteOptions } from '../../shared/site-options.ts'
import type { Viewer } from '../../shared/viewer.ts'
import { recordAdminAction } from '../admin/admin-log.ts'
import { inTransaction, lockSiteOptions } from '../db/transaction.ts'
import type { Database } from '../db/open-database.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import type { ReadSiteOptions, SiteOptionsInput } from './site-options.ts'

interface SiteOptionServices {
  readonly db: Database
  readonly now: () => number
  readonly config: { readonly fixedOptions: Partial<SiteOptions> }
  readonly readOptions: ReadSiteOptions
}

/**
 * Changes options of the site, and records what changed. Options with their current value are not recorded.
 *
 * @throws AppError `forbidden` for an option that an environment variable fixes
 */
export function updateSiteOptions(
  { db, now, config, readOptions }: SiteOptionServices,
  administrator: Viewer,
  input: SiteOptionsInput,
): Promise<SiteOptions> {
  return inTransaction(db, async (transaction) => {
    await lockSiteOptions(transaction)
    const current = await readOptions(transaction)
    for (const name of Object.keys(input) as (keyof SiteOptionsInput)[]) {
      const value = JSON.stringify(input[name])
      if (value === undefined || value === JSON.stringify(current[name])) continue
      if (name in config.fixedOptions) throw new AppError('forbidden', describedDetail('option_fixed'))
      await storeSiteOption(transaction, name, input[name])
      await recordAdminAction(transaction, administrator, {
        action: 'change_option',
        details: { name, from: JSON.stringify(current[name]), to: value },
        now: now(),
      })
    }
    return readOptions(transaction)
  })
}

/** Stores the value of an option. */
export async function storeSiteOption<Name extends keyof SiteOptions>(
  transaction: Database,
  name: Name,
  option: SiteOptions[Name] | undefined,
): Promise<void> {
  const value = JSON.stringify(option)
  await transaction
    .insertInto('site_options')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

import { createHash } from 'node:crypto'
import { z } from 'zod'
import { announcementLimit } from '../../shared/announcements.ts'
import {
  appearanceFields,
  byLanguage,
  examplesMax,
  logoSize,
  inLanguage,
  type AppearanceField,
  type AppearanceSettings,
  type Localized,
} from '../../shared/appearance.ts'
import { nameLimit, previewPromptLength } from '../../shared/limits.ts'
import type { Viewer } from '../../shared/viewer.ts'
import type { UserServices } from '../access/user-access.ts'
import type { AdministrationServices } from '../access/user-directory.ts'
import { asAdministrator } from '../audit/admin-log.ts'
import type { Config } from '../config/config.ts'
import { contactUrl, rulesMaxLength } from '../config/variables.ts'
import type { Database } from '../db/open-database.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import { smallPngUrl } from '../images/processing.ts'
import { decodeDataUrl, withImageErrors } from '../images/upload-image.ts'
import { text } from '../procedures/inputs.ts'
import { readSiteRows, storeSiteOption } from './site-options.ts'

type AppearanceConfig = Pick<Config, 'siteName' | 'fixedAppearance'>

interface ReadServices {
  readonly db: Database
  readonly config: AppearanceConfig
}

export interface AppearanceServices extends UserServices, AdministrationServices {
  readonly config: AppearanceConfig
}

const variables = { name: 'SITE_NAME', contact: 'CONTACT', rules: 'RULES_FILE' } as const

const rowName = (field: AppearanceField) => `appearance.${field}` as const

/** Reads what administrators chose, and what variables fix. Not cached, so that all processes agree. */
export async function readAppearanceSettings({ db, config }: ReadServices): Promise<AppearanceSettings> {
  const rows = await readSiteRows(db, ...appearanceFields.map(rowName))
  const chosen = appearanceFields.map((field) => [field, JSON.parse(rows.get(rowName(field)) ?? 'null')])
  const fixed = Object.entries(variables).filter(([field]) => field in config.fixedAppearance)
  return {
    ...(Object.fromEntries(chosen) as Record<AppearanceField, null>),
    ...config.fixedAppearance,
    fixed: Object.fromEntries(fixed),
  }
}

export type SiteAppearance = Awaited<ReturnType<typeof readAppearance>>

/** Reads the appearance in a language, as pages show it. @param language BCP 47 tag of a page or a mail */
export async function readAppearance(services: ReadServices, language = 'en') {
  const { name, contact, logo, ...settings } = await readAppearanceSettings(services)
  const shown = <Value extends string | readonly string[]>(value: Localized<Value> | null) =>
    inLanguage(value, language)
  const [address, image] = [shown(contact), shown(logo)]
  return {
    name: shown(name) ?? services.config.siteName,
    /** `mailto:` or web address of the operator, as that of a variable is already; null for none. */
    contact: address && (contactUrl(address) ?? address),
    /** `#rrggbb`; null for the colors of the themes. */
    accent: shown(settings.accent),
    /** Path of the image; null for the mark of the software. */
    logo: image && logoPath(image),
    welcome: shown(settings.welcome),
    examples: shown(settings.examples),
    /** Markdown; null without rules. */
    rules: shown(settings.rules),
  }
}

function logoPath(logo: string): string {
  return `/logo/${createHash('sha256').update(logo).digest('hex').slice(0, 32)}.png`
}

/** Finds the logo at a path; null if it is not a logo of the site any more. */
export async function findLogo(services: ReadServices, path: string): Promise<Uint8Array | null> {
  const { logo } = await readAppearanceSettings(services)
  const found = Object.values(byLanguage(logo ?? {})).find((one) => logoPath(one) === path)
  return found === undefined ? null : decodeDataUrl(found)
}

/** Creates the schema of a field: a value, or an object of values by language, '' for the other languages; null for the default. */
function localized<Value extends string | readonly string[]>(
  field: AppearanceField,
  schema: z.ZodType<Value>,
) {
  const message = `\`${field}\` must be a value, an object of values by language, or null.`
  const isForAll = (value: unknown) => typeof value !== 'object' || Array.isArray(value)
  return z
    .preprocess(
      (value) => (isForAll(value) ? { '': value } : value),
      z
        .record(z.string().regex(/^(?:[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)?$/, message), schema, message)
        .refine((values) => Object.keys(values).length > 0 && Object.keys(values).length <= 50, message),
    )
    .transform((values): Localized<Value> =>
      values[''] !== undefined && Object.keys(values).length === 1 ? values[''] : values,
    )
    .nullable()
}

function filled(field: AppearanceField, subject: 'name' | 'description' | 'prompt', limit: typeof nameLimit) {
  const message = `\`${field}\` must not be empty; null returns to the default.`
  return text(subject, limit, `\`${field}\` must be text.`).refine((value) => value !== '', message)
}

const limited = (message: string, max: number) => z.string(message).max(max, message)

const [contactMessage, accentMessage, rulesMessage, examplesMessage] = [
  'The contact must be an email address or a URL, such as hello@example.org.',
  'The accent must be a color such as #a5481f.',
  `The rules must be text of at most ${rulesMaxLength} characters; null is for none.`,
  `There may be 1 to ${examplesMax} examples; null returns to the default.`,
]
const exampleLimit = { characters: previewPromptLength, codeUnits: previewPromptLength }
const contact = limited(contactMessage, 500).trim()
const accent = z.string(accentMessage).regex(/^#[0-9a-f]{6}$/i, accentMessage)
const examples = z.array(filled('examples', 'prompt', exampleLimit), examplesMessage)
const rules = limited(rulesMessage, rulesMaxLength)
const isText = (value: string) => value.trim() !== '' && !value.includes('\0')

export const appearanceInput = z
  .strictObject({
    name: localized('name', filled('name', 'name', nameLimit)),
    contact: localized(
      'contact',
      contact.refine((value) => contactUrl(value) !== null, contactMessage),
    ),
    accent: localized('accent', accent.toLowerCase()),
    logo: localized('logo', z.string('The logo must be a data URL of a JPEG, PNG or WebP image.')),
    welcome: localized('welcome', filled('welcome', 'description', announcementLimit)),
    examples: localized('examples', examples.min(1, examplesMessage).max(examplesMax, examplesMessage)),
    rules: localized('rules', rules.refine(isText, rulesMessage)),
  })
  .partial()

/** Rules that are previewed. */
export const rulesInput = z.object({ rules })

/**
 * Changes the appearance, and records what changed.
 *
 * @throws AppError `forbidden` for what a variable fixes, or if the administrator has lost the role; `bad_input`, `too_large`
 *   for the logo
 */
export async function updateAppearance(
  services: AppearanceServices,
  administrator: Viewer,
  { logo, ...input }: z.output<typeof appearanceInput>,
): Promise<AppearanceSettings> {
  const changes = { ...input, ...(logo !== undefined && { logo: logo && (await encodeLogos(logo)) }) }
  return asAdministrator(services, administrator, async (transaction, record) => {
    const current = await readAppearanceSettings({ ...services, db: transaction })
    for (const field of appearanceFields) {
      const value = changes[field]
      if (value === undefined || JSON.stringify(value) === JSON.stringify(current[field])) continue
      if (field in current.fixed) throw new AppError('forbidden', describedDetail('option_fixed'))
      await storeSiteOption(transaction, rowName(field), value)
      await record({ action: 'change_appearance', details: { name: field } })
    }
    return readAppearanceSettings({ ...services, db: transaction })
  })
}

/** Decodes logos, so that what the site serves is an image, and encodes them in the size that pages show. */
async function encodeLogos(logo: Localized<string>): Promise<Localized<string>> {
  const encode = (url: string) => withImageErrors(() => smallPngUrl(decodeDataUrl(url), logoSize))
  if (typeof logo === 'string') return encode(logo)
  const encoded: Record<string, string> = {}
  for (const [language, url] of Object.entries(logo)) encoded[language] = await encode(url)
  return encoded
}

import names from '../../shared/style-names.json' with { type: 'json' }
import { previewPromptLength } from '../../shared/limits.ts'
import type { Lora } from '../../shared/engines.ts'
import { applyTemplate, type Style } from '../../shared/styles.ts'
import type { Database } from '../db/open-database.ts'
import type { RowOf } from '../db/schema.ts'
import type { Engines } from '../engines/engines.ts'
import { AppError } from '../errors/app-error.ts'
import { isoTime } from '../text/iso-time.ts'
import { coverUrl } from './cover.ts'
import shipped from './shipped-styles.json' with { type: 'json' }

export type StyleRow = Omit<RowOf<'styles'>, 'seq'>

/** Id by which styles that ship name the embedded engine, whatever its id is on this site. */
const embeddedEngine = 'rangoli'

/** The styles that ship, by id, in their order. An id never changes, as drafts and programs name it. */
const shippedRows: ReadonlyMap<string, StyleRow> = new Map(
  shipped.map(({ id, template, negativePrompt = '', isForModels = false }) => [
    id,
    {
      id,
      owner_id: null,
      name: names[id as keyof typeof names].en,
      template,
      negative_prompt: negativePrompt,
      engine: isForModels ? null : embeddedEngine,
      size: null,
      loras: '[]',
      for_models: Number(isForModels),
      removed: 0,
      created_at: 0,
    },
  ]),
)

/** Ids of the styles that ship: each can be removed but not deleted. */
export const shippedIds: readonly string[] = [...shippedRows.keys()]

interface StyleServices {
  readonly db: Database
  readonly engines: Pick<Engines, 'all' | 'get'>
}

/** Lists the styles of a user, newest first, and those of the site: the ones that ship, then the others in their order. */
export async function listStyles({ db, engines }: StyleServices, viewer: { readonly id: string } | null) {
  const own = viewer ? await selectOf(db, viewer.id).orderBy('seq', 'desc').execute() : []
  const site: readonly StyleRow[] = await selectOf(db, null).orderBy('seq').execute()
  const changed = new Map(site.map((row) => [row.id, row]))
  const rows = [
    ...own,
    ...[...shippedRows.values()].map((row) => changed.get(row.id) ?? row),
    ...site.filter(({ id }) => !shippedRows.has(id)),
  ]
  return rows.filter(({ removed }) => removed === 0).map((row) => toStyle(row, engines))
}

/** Lists the styles that a user keeps, newest first, for the export of the account. */
export async function exportStyles(db: Database, userId: string) {
  const rows = await selectOf(db, userId).orderBy('seq', 'desc').execute()
  return rows.map((row) => Object.assign(settingsOf(row), { createdAt: isoTime(row.created_at) }))
}

/** Selects the styles of a user, or of the site. */
export function selectOf(db: Database, ownerId: string | null) {
  return db
    .selectFrom('styles')
    .selectAll()
    .where('owner_id', ownerId === null ? 'is' : '=', ownerId)
}

/** Finds a style of the site or of the viewer. @throws AppError `not_found`, also for styles of others */
export async function findStyle(
  { db, engines }: StyleServices,
  viewer: { readonly id: string } | null,
  id: string,
): Promise<Style> {
  return toStyle(await readStyle(db, viewer, id), engines)
}

/** Reads the row of a style of the site or of the viewer. @throws AppError `not_found`, also if it is deleted, unless that is allowed */
export async function readStyle(
  db: Database,
  viewer: { readonly id: string } | null,
  id: string,
  mayBeDeleted = false,
): Promise<StyleRow> {
  const stored = await db.selectFrom('styles').selectAll().where('id', '=', id).executeTakeFirst()
  const row = stored ?? shippedRows.get(id)
  const isKnown = row && (mayBeDeleted || row.removed === 0)
  if (!isKnown || (row.owner_id !== null && row.owner_id !== viewer?.id))
    throw new AppError('not_found', 'Style not found.')
  return row
}

/** Converts a row to the style as clients see it. */
export function toStyle(row: StyleRow, engines: Pick<Engines, 'all' | 'get'>): Style {
  const { engine, ...settings } = settingsOf(row)
  const embedded = engines.all.find(({ kind }) => kind === 'rangoli')?.id
  return {
    ...settings,
    engine: engine === embeddedEngine && !engines.get(engine) ? (embedded ?? engine) : engine,
    coverUrl: coverUrl(row.id, coverWords(row)),
    isOfSite: row.owner_id === null,
  }
}

export function settingsOf(row: StyleRow) {
  return {
    id: row.id,
    name: row.name,
    template: row.template,
    negativePrompt: row.negative_prompt,
    engine: row.engine,
    size: row.size,
    loras: JSON.parse(row.loras) as Lora[],
    isForModels: row.for_models === 1,
  }
}

/** Returns the words that the embedded engine draws as the cover of a style. */
export function coverWords({ id, template }: Pick<StyleRow, 'id' | 'template'>): string {
  const words = shipped.find((style) => style.id === id && style.template === template)?.cover
  return words ?? applyTemplate({ template }, 'lotus').slice(0, previewPromptLength)
}

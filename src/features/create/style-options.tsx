import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { withoutEscapes } from '../../../shared/expand-prompt.ts'
import { nameLimit } from '../../../shared/limits.ts'
import { fitsEngine, type Style, promptSlot, styleTextLimit } from '../../../shared/styles.ts'
import { completeDeletion } from '../../api/missing.ts'
import { trpc } from '../../api/trpc.ts'
import { engineLabel } from '../../images/image.tsx'
import { shippedStyles, styleName } from '../../images/style-name.tsx'
import { Fieldset, RadioGroup, SelectField, TextArea, TextField } from '../../ui/form.tsx'
import { MoreMenu, type MenuItems } from '../../ui/menu.tsx'
import { useDialog } from '../../ui/use-dialog.tsx'
import { useCall } from '../auth/call-failure.tsx'
import { changesOf, ConfirmCall, FormDialog } from '../auth/call-form.tsx'
import { sizeLabel } from './form-options.ts'
import styles from './style-options.module.css'
import { useCreation } from './use-creation.ts'

/** A row of covers: the styles that fit the chosen engine, or none. */
export function StyleOptions() {
  const { i18n, t } = useLingui()
  const { draft, changeOptions, accepted, engine, viewer } = useCreation()
  const api = trpc.useUtils()
  const { data } = trpc.styles.list.useQuery()
  const [dialog, openDialog] = useDialog()
  const { style: chosen } = engine ? accepted : draft.options
  const offered = engine && data?.styles.filter((style) => fitsEngine(style, engine))
  const id = draft.options.style?.id
  const isAdministrator = viewer.role === 'administrator'
  const known = new Set(data?.styles.map((style) => style.id))
  const deleted = isAdministrator && data ? shippedStyles.filter((one) => !known.has(one)) : []
  const failed = t`The styles could not be restored. Try again in a moment.`
  const { run } = useCall(failed, () => api.styles.list.invalidate(), { isFailureToasted: true })
  const isGone = id !== undefined && data && !known.has(id)

  useEffect(() => {
    // Deleted elsewhere: the server would reject it.
    if (isGone) changeOptions({ style: null })
  }, [isGone, changeOptions])

  const row = useRef<HTMLDivElement>(null)
  const isLoaded = Boolean(offered)
  const chosenId = chosen?.id ?? ''
  useEffect(() => {
    if (isLoaded && row.current) reveal(row.current, chosenId)
  }, [isLoaded, chosenId])

  const edit = (style: Style | null) => openDialog(<EditStyle style={style} />)
  const remove = (style: Style) => openDialog(<DeleteStyle style={style} />)
  const { update } = api.client.styles
  const restore = () => Promise.all(deleted.map((one) => update.mutate({ id: one })))
  const editable = chosen && (!chosen.isOfSite || isAdministrator) ? chosen : null
  const name = editable && styleName(editable, i18n.locale)
  const items: MenuItems = [
    { label: t`Save as style`, onSelect: () => edit(null) },
    editable && { label: t`Edit ${name}`, onSelect: () => edit(editable) },
    editable && { label: t`Delete ${name}`, onSelect: () => remove(editable) },
    deleted.length > 0 && {
      label: t`Restore the deleted styles`,
      onSelect: () => run(restore, t`The styles are restored.`),
    },
  ]

  return (
    <div className={styles['styles']}>
      <Fieldset role="radiogroup" aria-label={t`Style`} legend={<Trans>Style</Trans>}>
        <div ref={row} className={`strip ${styles['covers']}`}>
          {[null, ...(offered ?? [])].map((style) => (
            <label key={style?.id ?? ''} className={`choice card hoverable ${styles['cover']}`}>
              <input
                type="radio"
                name="style"
                value={style?.id ?? ''}
                checked={style?.id === chosen?.id}
                onChange={() => changeOptions({ style })}
              />
              {style ? (
                <img src={style.coverUrl} alt="" width={112} height={112} loading="lazy" decoding="async" />
              ) : (
                <span className={styles['plain']} aria-hidden="true" />
              )}
              <span className="small ellipsis" dir="auto">
                {style ? styleName(style, i18n.locale) : t({ message: 'None', context: 'style' })}
              </span>
            </label>
          ))}
        </div>
      </Fieldset>
      <div className={styles['more']}>
        <MoreMenu buttonClass="iconButton" items={items} />
      </div>
      {/* React passes on what bubbles out of a dialog. */}
      <div role="presentation" onSubmit={(event) => event.stopPropagation()}>
        {dialog}
      </div>
    </div>
  )
}

/** Scrolls a row, but not the page, until the cover of a style is in view. */
function reveal(row: HTMLElement, styleId: string) {
  const radio = [...row.querySelectorAll('input')].find(({ value }) => value === styleId)
  const cover = radio?.parentElement?.getBoundingClientRect()
  const { left, right } = row.getBoundingClientRect()
  const faded = Number.parseFloat(getComputedStyle(row).scrollPaddingInlineStart)
  if (!cover) return
  if (cover.left < left + faded) row.scrollBy({ left: cover.left - left - faded })
  else if (cover.right > right - faded) row.scrollBy({ left: cover.right - right + faded })
}

/** Value of the choice of every engine but the embedded one. */
const models = 'models'

/** Saves the words and settings of the form as a style, or edits the chosen one. */
function EditStyle({ style }: { style: Style | null }) {
  const { i18n, t } = useLingui()
  const name = style && styleName(style, i18n.locale)
  const api = trpc.useUtils()
  const { draft, engines, engine, accepted, viewer, changeOptions } = useCreation()
  const size = style ? style.size : accepted.size
  const sizes = new Set([...(size ? [size] : []), ...(engine?.capabilities.sizes ?? [])])
  const words = withoutEscapes(draft.prompt).trim()
  const hasSeveral = engines.length > 1
  const ids = new Set([...engines.map(({ id }) => id), ...(style?.engine ? [style.engine] : [])])
  return (
    <FormDialog
      title={style ? t`Edit ${name}` : t`Save as style`}
      description={t`A style puts your words into its template, and is sent with its settings.`}
      submit={style ? t`Save changes` : t`Save`}
      busy={t`Saving…`}
      outcome={style ? t`Changes saved.` : t`The style is in the row of covers.`}
      failed={t`The style could not be saved. Try again in a moment.`}
      inputField="template"
      call={async (text) => {
        const wanted = text('engine')
        const input = {
          name: text('name'),
          template: text('template'),
          negativePrompt: text('negativePrompt'),
          ...(hasSeveral && {
            engine: ids.has(wanted) ? wanted : null,
            isForModels: wanted === models,
          }),
          size: [...sizes].find((one) => one === text('size')) ?? null,
        }
        const { create, update } = api.client.styles
        const saved = style
          ? await update.mutate({ id: style.id, ...changesOf(style, input) })
          : await create.mutate({
              ...input,
              loras: [...accepted.loras],
              isOfSite: text('audience') === 'site',
            })
        await api.styles.list.invalidate()
        if (style) changeOptions({ style: saved })
      }}
    >
      <TextField
        label={t`Name`}
        name="name"
        check={(text) => text === '' && t`Please give the style a name.`}
        defaultValue={style?.name}
        maxLength={nameLimit.codeUnits}
      />
      <TextArea
        label={t`Template`}
        hint={t`${promptSlot} stands for the words that are typed in the form.`}
        name="template"
        check={(template) =>
          template.split(promptSlot).length !== 2 && t`The template must contain ${promptSlot} exactly once.`
        }
        maxLength={styleTextLimit.codeUnits}
        defaultValue={style?.template ?? [promptSlot, words].filter(Boolean).join(', ')}
      />
      <TextArea
        label={t`Negative prompt (optional)`}
        name="negativePrompt"
        rows={2}
        maxLength={styleTextLimit.codeUnits}
        defaultValue={style?.negativePrompt ?? accepted.negativePrompt}
      />
      {hasSeveral && (
        <SelectField
          label={t`Engine`}
          name="engine"
          defaultValue={(style ? style.engine : engine?.id) ?? (style?.isForModels ? models : '')}
          options={[
            ['', t`Any engine`],
            [models, t`Any model`],
            // The style's may be gone.
            ...Array.from(ids, (id) => {
              const listed = engines.find((one) => one.id === id)
              return [id, listed ? engineLabel(listed.label, i18n) : id] as const
            }),
          ]}
        />
      )}
      {sizes.size > 0 && (
        <SelectField
          label={t`Size`}
          name="size"
          defaultValue={size ?? ''}
          options={[
            ['', t`As chosen in the form`],
            ...[...sizes].map((one) => [one, sizeLabel(one)] as const),
          ]}
        />
      )}
      {!style && viewer.role === 'administrator' && (
        <RadioGroup
          legend={t`Who can use it`}
          name="audience"
          defaultValue="own"
          options={[
            { value: 'own', label: t`Only you` },
            { value: 'site', label: t`Everyone on this site` },
          ]}
        />
      )}
    </FormDialog>
  )
}

/** Asks for confirmation, then deletes a style. */
function DeleteStyle({ style }: { style: Style }) {
  const { i18n, t } = useLingui()
  const name = styleName(style, i18n.locale)
  const api = trpc.useUtils()
  const { changeOptions } = useCreation()
  return (
    <ConfirmCall
      title={t`Delete ${name}?`}
      description={
        style.isOfSite
          ? t`No user of this site can choose it any more. Images that were made with it keep their recipe.`
          : t`Images that were made with it keep their recipe.`
      }
      confirm={t`Delete`}
      outcome={t`The style is deleted.`}
      failed={t`The style could not be deleted. Try again in a moment.`}
      call={async () => {
        await completeDeletion(api.client.styles.delete.mutate({ id: style.id }))
        changeOptions({ style: null })
        await api.styles.list.invalidate()
      }}
    />
  )
}

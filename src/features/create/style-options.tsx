import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { fitsEngine, type Style } from '../../../shared/styles.ts'
import { trpc } from '../../api/trpc.ts'
import { styleName } from '../../images/style-name.tsx'
import { Fieldset } from '../../ui/form.tsx'
import { MoreIcon } from '../../ui/icons.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { useDialog } from '../../ui/use-dialog.tsx'
import { useSession } from '../auth/session.ts'
import { acceptedOptions, engineFor } from './form-options.ts'
import { DeleteStyle, EditStyle } from './style-dialogs.tsx'
import styles from './style-options.module.css'
import type { Creation } from './use-creation.ts'

/** A row of covers: the styles that fit the chosen engine, or none. */
export function StyleOptions({ creation }: { creation: Creation }) {
  const { i18n, t } = useLingui()
  const { viewer } = useSession()
  const { draft, changeOptions, engines } = creation
  const { data } = trpc.styles.list.useQuery()
  const [dialog, openDialog] = useDialog()
  const engine = engineFor(draft.options, engines)
  const { style: chosen } = engine ? acceptedOptions(draft.options, engine) : draft.options
  const offered = engine && data?.styles.filter((style) => fitsEngine(style, engine))
  const id = draft.options.style?.id
  const isGone = id !== undefined && data?.styles.every((style) => style.id !== id)

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

  function edit(style: Style | null) {
    openDialog(<EditStyle creation={creation} style={style} />)
  }

  function remove(style: Style) {
    openDialog(<DeleteStyle creation={creation} style={style} />)
  }

  function itemsOf(style: Style | null): readonly MenuItem[] {
    const save = { label: t`Save as style`, onSelect: () => edit(null) }
    if (!style || (style.isOfSite && viewer?.role !== 'administrator')) return [save]
    const name = styleName(style, i18n.locale)
    return [
      save,
      { label: t`Edit ${name}`, onSelect: () => edit(style) },
      { label: t`Delete ${name}`, onSelect: () => remove(style) },
    ]
  }

  return (
    <div className={styles['styles']}>
      <Fieldset role="radiogroup" aria-label={t`Style`} legend={<Trans>Style</Trans>}>
        <div ref={row} className={styles['covers']}>
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
        <Menu
          button={<MoreIcon />}
          buttonClass="iconButton"
          buttonLabel={t`More actions`}
          items={itemsOf(chosen)}
        />
      </div>
      {/* React passes on what bubbles out of a dialog. */}
      <div role="presentation" onSubmit={(event) => event.stopPropagation()}>
        {dialog}
      </div>
    </div>
  )
}

/** Part of the next cover that stays in view, in pixels. */
const peek = 24

/** Scrolls a row, but not the page, until the cover of a style is in view. */
function reveal(row: HTMLElement, styleId: string) {
  const radio = [...row.querySelectorAll('input')].find(({ value }) => value === styleId)
  const cover = radio?.parentElement?.getBoundingClientRect()
  const { left, right } = row.getBoundingClientRect()
  if (!cover) return
  if (cover.left < left) row.scrollBy({ left: cover.left - left - peek })
  else if (cover.right > right) row.scrollBy({ left: cover.right - right + peek })
}

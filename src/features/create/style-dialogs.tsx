import { useLingui } from '@lingui/react/macro'
import { withoutEscapes } from '../../../shared/expand-prompt.ts'
import { nameLimit } from '../../../shared/limits.ts'
import { promptSlot, styleTextLimit, type Style } from '../../../shared/styles.ts'
import { completeDeletion } from '../../api/missing.ts'
import { trpc } from '../../api/trpc.ts'
import { engineLabel } from '../../images/image.tsx'
import { styleName } from '../../images/style-name.tsx'
import { RadioGroup, SelectField, TextArea, TextField } from '../../ui/form.tsx'
import { ConfirmCall, FormDialog } from '../auth/call-form.tsx'
import { useSession } from '../auth/session.ts'
import { acceptedOptions, engineFor, sizeLabel } from './form-options.ts'
import type { Creation } from './use-creation.ts'

/** Value of the choice of every engine but the embedded one. */
const models = 'models'

/** Saves the words and settings of the form as a style, or edits the chosen one. */
export function EditStyle({ creation, style }: { creation: Creation; style: Style | null }) {
  const { i18n, t } = useLingui()
  const name = style && styleName(style, i18n.locale)
  const { viewer } = useSession()
  const api = trpc.useUtils()
  const { draft, engines } = creation
  const engine = engineFor(draft.options, engines)
  const accepted = acceptedOptions(draft.options, engine)
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
      check={(text) => ({
        name: text('name') === '' && t`Please give the style a name.`,
        template:
          text('template').split(promptSlot).length !== 2 &&
          t`The template must contain ${promptSlot} exactly once.`,
      })}
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
          ? await update.mutate({ id: style.id, ...input })
          : await create.mutate({
              ...input,
              loras: [...accepted.loras],
              isOfSite: text('audience') === 'site',
            })
        await api.styles.list.invalidate()
        if (style) creation.changeOptions({ style: saved })
      }}
    >
      <TextField label={t`Name`} name="name" defaultValue={style?.name} maxLength={nameLimit.characters} />
      <TextArea
        label={t`Template`}
        hint={t`${promptSlot} stands for the words that are typed in the form.`}
        name="template"
        maxLength={styleTextLimit.characters}
        defaultValue={style?.template ?? [promptSlot, words].filter(Boolean).join(', ')}
      />
      <TextArea
        label={t`Negative prompt (optional)`}
        name="negativePrompt"
        rows={2}
        maxLength={styleTextLimit.characters}
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
      {!style && viewer?.role === 'administrator' && (
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
export function DeleteStyle({ creation, style }: { creation: Creation; style: Style }) {
  const { i18n, t } = useLingui()
  const name = styleName(style, i18n.locale)
  const api = trpc.useUtils()
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
        creation.changeOptions({ style: null })
        await api.styles.list.invalidate()
      }}
    />
  )
}

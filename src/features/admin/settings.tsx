import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { trashDays } from '../../../shared/images.ts'
import { dollarsMax, storageLimitMegabytesMax, unsharedImageDaysMax } from '../../../shared/limits.ts'
import type { SignUpMode, SiteOptions } from '../../../shared/site-options.ts'
import { useSite } from '../../api/site.tsx'
import { trpc } from '../../api/trpc.ts'
import { useToast } from '../../ui/announcer.tsx'
import { isWholeNumber, RadioGroup, TextField } from '../../ui/form.tsx'
import { QueryState } from '../auth/call-failure.tsx'
import { CallForm } from '../auth/call-form.tsx'
import styles from './admin.module.css'

/**
 * Options that are a number, or null if they may be empty, in the order of the form. `variable` fixes one. An amount
 * of money may have cents.
 */
export const numberOptions = [
  {
    name: 'dailyImageLimit',
    variable: 'DAILY_IMAGE_LIMIT',
    label: msg`Images per user and day`,
    hint: msg`Days begin at midnight UTC. Users can have a limit of their own.`,
    min: 0,
    max: 1_000_000,
    isOptional: false,
  },
  {
    name: 'dailyImageTotal',
    variable: 'DAILY_IMAGE_TOTAL',
    label: msg`Images of the whole site per day`,
    hint: msg`Empty: no limit.`,
    min: 0,
    max: 1_000_000,
    isOptional: true,
  },
  {
    name: 'monthlyBudget',
    variable: 'MONTHLY_BUDGET',
    label: msg`Budget of the whole site per month, in US dollars`,
    hint: msg`Empty: no limit. Months begin at midnight UTC.`,
    min: 0,
    max: dollarsMax,
    isOptional: true,
    isMoney: true,
  },
  {
    name: 'monthlyBudgetPerUser',
    variable: 'MONTHLY_BUDGET_PER_USER',
    label: msg`Budget per user and month, in US dollars`,
    hint: msg`Empty: no limit.`,
    min: 0,
    max: dollarsMax,
    isOptional: true,
    isMoney: true,
  },
  {
    name: 'unsharedImageDays',
    variable: 'UNSHARED_IMAGE_DAYS',
    label: msg`Days until images that are not shared move to the trash`,
    hint: msg`Empty: they stay. Images are deleted permanently after ${trashDays} days in the trash.`,
    min: 1,
    max: unsharedImageDaysMax,
    isOptional: true,
  },
  {
    name: 'storageLimitMegabytes',
    variable: 'USER_STORAGE_LIMIT_MB',
    label: msg`Storage per user, in megabytes`,
    hint: msg`Empty: no limit. Images in the trash count, too.`,
    min: 1,
    max: storageLimitMegabytesMax,
    isOptional: true,
  },
] as const

type NumberOption = (typeof numberOptions)[number]

type ReadText = (field: string) => string

const signUpModes = ['open', 'invite', 'closed'] as const satisfies readonly SignUpMode[]

/** Options of the site that administrators change while it runs. */
export function Settings() {
  const { t } = useLingui()
  const query = trpc.admin.options.get.useQuery()
  const { data } = query
  return (
    <>
      <QueryState query={query} failed={t`The settings could not be loaded.`} />
      {data && <SettingsForm options={data.options} fixed={data.fixed} />}
    </>
  )
}

function SettingsForm({ options, fixed }: { options: SiteOptions; fixed: readonly (keyof SiteOptions)[] }) {
  const { auth } = useSite()
  const api = trpc.useUtils()
  const toast = useToast()
  const { t, i18n } = useLingui()
  const isSignUpFixed = fixed.includes('signUp')
  const editable = numberOptions.filter(({ name }) => !fixed.includes(name))
  return (
    <CallForm
      className={styles['settings']}
      variant="primary"
      submit={t`Save`}
      busy={t`Saving…`}
      failed={t`The settings could not be saved. Try again in a moment.`}
      check={(text) => findErrors(editable, text, i18n)}
      call={async (text) => {
        const saved = await api.client.admin.options.update.mutate(readChanges(editable, text, options))
        api.admin.options.get.setData(undefined, (known) => known && { ...known, options: saved })
        toast(t`The settings are saved.`)
      }}
    >
      {auth.kind === 'local' ? (
        <RadioGroup
          legend={t`Who may create an account`}
          hint={isSignUpFixed && <FixedBy variable="SIGN_UP" />}
          isDisabled={isSignUpFixed}
          name="signUp"
          defaultValue={options.signUp}
          options={[
            { value: 'open', label: t`Everyone` },
            {
              value: 'invite',
              label: t`Users with an invitation`,
              hint: t`Administrators create links that are valid for a number of accounts.`,
            },
            { value: 'closed', label: t`No one`, hint: t`The operator creates accounts with a command.` },
          ]}
        />
      ) : (
        <p className="quiet small breakable">
          {t`The accounts of this site are at Clerk, which decides who may sign up.`}
        </p>
      )}
      {numberOptions.map(({ name, variable, label, hint, ...option }) => (
        <TextField
          key={name}
          label={i18n._(label)}
          hint={fixed.includes(name) ? <FixedBy variable={variable} /> : i18n._(hint)}
          name={name}
          inputMode={'isMoney' in option ? 'decimal' : 'numeric'}
          autoComplete="off"
          defaultValue={options[name] ?? ''}
          disabled={fixed.includes(name)}
        />
      ))}
    </CallForm>
  )
}

/** Says which variable fixes an option. */
export function FixedBy({ variable }: { variable: string }) {
  return (
    <Trans>
      Set by the environment variable <code>{variable}</code>.
    </Trans>
  )
}

/** Returns the errors of what was entered. */
function findErrors(editable: readonly NumberOption[], text: ReadText, i18n: I18n) {
  return Object.fromEntries(
    editable.map(({ name, min, max, isOptional, ...option }) => {
      const isMoney = 'isMoney' in option
      const entered = isMoney ? text(name).replace(/\.\d{1,2}$/, '') : text(name)
      const isValid = (text(name) === '' && isOptional) || isWholeNumber(entered, min, max)
      return [name, !isValid && describeRange(i18n.number(min), i18n.number(max), isMoney)]
    }),
  )
}

function describeRange(min: string, max: string, isMoney: boolean): MessageDescriptor {
  return isMoney
    ? msg`Enter an amount from ${min} to ${max}, such as 12.50.`
    : msg`Enter a whole number from ${min} to ${max}.`
}

/** Parses what was entered. What was not changed is left out, so that it does not undo a change of someone else. */
function readChanges(editable: readonly NumberOption[], text: ReadText, known: SiteOptions) {
  const numbers = editable.flatMap(({ name }) =>
    text(name) === String(known[name] ?? '') ? [] : [[name, text(name) === '' ? null : Number(text(name))]],
  )
  const signUp = signUpModes.find((mode) => mode === text('signUp') && mode !== known.signUp)
  return { ...Object.fromEntries(numbers), ...(signUp && { signUp }) }
}

import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ComponentProps } from 'react'
import { trashDays } from '../../../shared/images.ts'
import {
  numberOptions,
  type NumberOption,
  type SignUpMode,
  type SiteOptions,
} from '../../../shared/site-options.ts'
import { useSite } from '../../api/site.tsx'
import { trpc } from '../../api/trpc.ts'
import { toast } from '../../ui/announcer.tsx'
import { RadioGroup, TextField } from '../../ui/form.tsx'
import { QueryState } from '../auth/call-failure.tsx'
import { CallForm } from '../auth/call-form.tsx'
import styles from './admin.module.css'

/** Labels of options that are a number, and hints. */
export const numberTexts: Readonly<
  Record<NumberOption, readonly [label: MessageDescriptor, hint: MessageDescriptor]>
> = {
  dailyImageLimit: [
    msg`Images per user and day`,
    msg`Days begin at midnight UTC. Users can have a limit of their own.`,
  ],
  dailyImageTotal: [msg`Images of the whole site per day`, msg`Empty: no limit.`],
  monthlyBudget: [
    msg`Budget of the whole site per month, in US dollars`,
    msg`Empty: no limit. Months begin at midnight UTC.`,
  ],
  monthlyBudgetPerUser: [msg`Budget per user and month, in US dollars`, msg`Empty: no limit.`],
  unsharedImageDays: [
    msg`Days until images that are not shared move to the trash`,
    msg`Empty: they stay. Images are deleted permanently after ${trashDays} days in the trash.`,
  ],
  storageLimitMegabytes: [
    msg`Storage per user, in megabytes`,
    msg`Empty: no limit. Images in the trash count, too.`,
  ],
}

/** A field for a whole number, or an amount of money, which may have cents. */
export function NumberField({
  min: from = 0,
  max: to,
  isMoney = false,
  isRequired = false,
  ...field
}: Omit<ComponentProps<typeof TextField>, 'min' | 'max'> & {
  min?: number
  max: number
  isMoney?: boolean
  isRequired?: boolean
}) {
  const { t, i18n } = useLingui()
  const [min, max] = [i18n.number(from), i18n.number(to)]
  const wrong = isMoney
    ? t`Enter an amount from ${min} to ${max}, such as 12.50.`
    : t`Enter a whole number from ${min} to ${max}.`
  const format = isMoney ? /^\d+(?:\.\d{1,2})?$/ : /^\d+$/
  const isValid = (text: string) => format.test(text) && Number(text) >= from && Number(text) <= to
  return (
    <TextField
      inputMode={isMoney ? 'decimal' : 'numeric'}
      // Digits have no direction of their own.
      dir={undefined}
      autoComplete="off"
      {...{ min: from, max: to, ...field }}
      check={(text) => !field.disabled && (text === '' ? isRequired : !isValid(text)) && wrong}
    />
  )
}

/** Returns the number that was entered; null for none. */
export function numberIn(text: string): number | null {
  return text === '' ? null : Number(text)
}

/** A field for who may create an account. */
export function SignUpField({ isFixed, ...props }: { isFixed: boolean; defaultValue: SignUpMode }) {
  const { t } = useLingui()
  return (
    <RadioGroup
      {...props}
      hint={isFixed && <FixedBy variable="SIGN_UP" />}
      isDisabled={isFixed}
      legend={t`Who may create an account`}
      name="signUp"
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
  )
}

export function signUpIn(text: (field: string) => string): SignUpMode | undefined {
  return (['open', 'invite', 'closed'] as const).find((mode) => mode === text('signUp'))
}

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
  const { t, i18n } = useLingui()
  return (
    <CallForm
      className={styles['settings']}
      variant="primary"
      submit={t`Save`}
      busy={t`Saving…`}
      failed={t`The settings could not be saved. Try again in a moment.`}
      call={async (text) => {
        // What was not changed is left out, so that it does not undo a change of someone else.
        const numbers = numberOptions.flatMap(({ name }) =>
          fixed.includes(name) || text(name) === String(options[name] ?? '')
            ? []
            : [[name, numberIn(text(name))]],
        )
        const signUp = signUpIn(text)
        const isSignUpNew = signUp && signUp !== options.signUp
        const changes = { ...Object.fromEntries(numbers), ...(isSignUpNew && { signUp }) }
        const saved = await api.client.admin.options.update.mutate(changes)
        api.admin.options.get.setData(undefined, (known) => known && { ...known, options: saved })
        toast(t`The settings are saved.`)
      }}
    >
      {auth.kind === 'local' ? (
        <SignUpField isFixed={fixed.includes('signUp')} defaultValue={options.signUp} />
      ) : (
        <p className="quiet small breakable">
          {t`The accounts of this site are at Clerk, which decides who may sign up.`}
        </p>
      )}
      {numberOptions.map(({ variable, ...option }) => {
        const [label, hint] = numberTexts[option.name]
        const isFixed = fixed.includes(option.name)
        return (
          <NumberField
            key={option.name}
            {...option}
            label={i18n._(label)}
            hint={isFixed ? <FixedBy variable={variable} /> : i18n._(hint)}
            defaultValue={options[option.name] ?? ''}
            disabled={isFixed}
          />
        )
      })}
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

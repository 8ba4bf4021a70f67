import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useEffectEvent, useState } from 'react'
import { nameLimit } from '../../../shared/limits.ts'
import { adminPath } from '../../../shared/routes.ts'
import { usePageData } from '../../api/site.tsx'
import { trpc, type RouterOutputs } from '../../api/trpc.ts'
import { useWindowEvent } from '../../browser/use-window-event.ts'
import { Button } from '../../ui/button.tsx'
import { EmailField, Fieldset, PasswordField, TextField } from '../../ui/form.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import { Confirmation, Notice } from '../../ui/notice.tsx'
import { NotFoundPage } from '../not-found/not-found-page.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { EngineFields, engineEntry } from '../admin/engine-form.tsx'
import { FixedBy, SignUpField, signUpIn } from '../admin/settings.tsx'
import { describeFailure } from '../../api/failure.ts'
import { CallError, FailureNotice, SignInButton, useCall } from '../auth/call-failure.tsx'
import { CallForm, readText } from '../auth/call-form.tsx'
import { callAccount, emailError, nameError, newPasswordError } from '../auth/local/accounts.ts'
import { useSession } from '../auth/session.ts'

/** Takes the code from the fragment of the address, which then is in neither the history nor a link to another page. */
function useCodeOfAddress(): string {
  const [code, setCode] = useState('')
  function takeCode() {
    const found = new URLSearchParams(location.hash.slice(1)).get('code')
    if (found === null) return
    history.replaceState(history.state, '', location.pathname)
    setCode(found)
  }
  const takeFirst = useEffectEvent(takeCode)
  useEffect(() => queueMicrotask(takeFirst), [])
  // The link opens in the page that is there already.
  useWindowEvent('hashchange', takeCode)
  return code
}

/** The page on which the operator creates the first administrator, and sets up the site. */
export function SetupPage() {
  const { setup, site } = usePageData()
  const { t } = useLingui()
  const { status, viewer, openSignIn } = useSession()
  const code = useCodeOfAddress()
  if (!setup) return <NotFoundPage />
  const hasAccounts = site.auth.kind === 'local' && site.auth.hasPasswords
  return (
    <Page
      isText
      title={t`Set up this site`}
      intro={t`This page exists until there is an administrator. Everything can be changed later, in Administration.`}
    >
      {viewer || hasAccounts ? (
        <SetupForm code={code} />
      ) : (
        <Panel>
          <p>{t`Sign in first: who has signed in and knows the code becomes the administrator. Open the link of the log again then.`}</p>
          {status === 'signed-out' && <SignInButton variant="primary" onClick={openSignIn} />}
        </Panel>
      )}
    </Page>
  )
}

function SetupForm({ code }: { code: string }) {
  const { setup, site } = usePageData()
  const { client } = trpc.useUtils()
  const { viewer } = useSession()
  const { t, i18n } = useLingui()
  const isNew = viewer === null
  return (
    <CallForm
      className="narrow"
      variant="primary"
      submit={t`Set up the site`}
      busy={t`Setting up…`}
      failed={t`The site could not be set up. Try again in a moment.`}
      call={async (text) => {
        const [email, password] = [text('email'), text('password')]
        const engine = engineEntry(text)
        const entered = {
          code: text('code'),
          ...(text('siteName') !== '' && { name: text('siteName') }),
          signUp: signUpIn(text),
          ...(engine.kind !== 'rangoli' && { engine }),
          ...(isNew && { account: { name: text('name'), email, password } }),
        }
        await client.setup.complete.mutate(entered).catch((error: unknown) => {
          const { reason } = describeFailure(error)
          const isCode = reason === 'forbidden'
          if (!isCode && (reason !== 'bad_input' || i18n.locale === 'en')) throw error
          const message = isCode
            ? t`This is not the code of the log, or there is an administrator already.`
            : t`The email has an account already, or the password is too easy to guess. Enter another one, or sign in first.`
          throw new CallError(() => ({ field: isCode ? 'code' : 'email', message }), error)
        })
        if (isNew) await callAccount('/sign-in/email', { email, password })
        location.assign(adminPath())
      }}
    >
      <TextField
        key={code}
        label={t`Code`}
        hint={t`In the log of the server, in the line “Set up this site”.`}
        name="code"
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        required
        defaultValue={code}
        check={(text) => text === '' && msg`Enter the code from the log of the server.`}
      />
      <TextField
        label={t`Name of the site`}
        hint={setup?.isNameFixed && <FixedBy variable="SITE_NAME" />}
        name="siteName"
        defaultValue={site.name}
        maxLength={nameLimit.codeUnits}
        disabled={setup?.isNameFixed}
      />
      <Fieldset legend={t`Administrator`} className="form">
        {isNew ? (
          <>
            <TextField
              label={t`Name`}
              name="name"
              autoComplete="name"
              required
              check={(name) => nameError(name)}
            />
            <EmailField label={t`Email`} autoComplete="email" check={emailError} />
            <PasswordField
              label={t`Password`}
              name="password"
              autoComplete="new-password"
              check={newPasswordError}
            />
          </>
        ) : (
          <p>
            <Sentence of={msg`You are signed in as ${viewer.firstName}, and become the administrator.`} />
          </p>
        )}
      </Fieldset>
      {site.auth.kind === 'local' && (
        <SignUpField isFixed={setup?.isSignUpFixed === true} defaultValue={site.auth.signUp} />
      )}
      <Fieldset legend={t`Image engine`} className="form">
        {setup?.enginesVariable ? (
          <p className="quiet small">
            <FixedBy variable={setup.enginesVariable} />
          </p>
        ) : (
          <EngineFields isBrief after={<TryEngine />} />
        )}
      </Fieldset>
    </CallForm>
  )
}

/** Generates an image with the engine as entered in the form around. */
function TryEngine() {
  const { client } = trpc.useUtils()
  const { t } = useLingui()
  const [trial, setTrial] = useState<RouterOutputs['setup']['tryEngine'] | null>(null)
  const { run, isBusy, failure } = useCall(t`The engine could not be tried. Try again in a moment.`)
  const { image, error } = trial ?? {}
  return (
    <>
      <Button
        isBusy={isBusy}
        onClick={({ currentTarget }) => {
          const { form } = currentTarget
          const text = (field: string) => readText(form, field)
          setTrial(null)
          run(async () => {
            const engine = engineEntry(text)
            setTrial(await client.setup.tryEngine.mutate({ code: text('code'), engine }))
          })
        }}
      >
        {t`Try the engine`}
      </Button>
      <p className="quiet small">{t`Generates one image, which may cost money or take minutes.`}</p>
      <FailureNotice failure={failure} />
      <Confirmation>{image && t`The engine is available.`}</Confirmation>
      {image && <img src={image} alt={t`A peacock in the rain`} width={128} />}
      <Notice>
        {error && (
          <Trans>
            The engine made no image. <bdi>{error}</bdi>
          </Trans>
        )}
      </Notice>
    </>
  )
}

import { useLingui } from '@lingui/react/macro'
import { useLocation } from 'wouter'
import { collectionPath, matchPath, pagePaths } from '../../../shared/routes.ts'
import { trpc } from '../../api/trpc.ts'
import { Page, Panel } from '../../ui/page.tsx'
import { orGone } from '../auth/call-failure.tsx'
import { CallForm } from '../auth/call-form.tsx'
import { SignedInOnly } from '../auth/signed-in-only.tsx'
import { useReloadCollections } from './collection-loader.tsx'

export function JoinPage() {
  const { t } = useLingui()
  const [path, navigate] = useLocation()
  const token = matchPath(pagePaths.joinCollection, path) ?? ''
  const { client } = trpc.useUtils()
  const reload = useReloadCollections()
  return (
    <Page
      isText
      title={t`You are invited to a collection`}
      intro={t`When you join, you see the collection and can add images to it.`}
    >
      <SignedInOnly
        why={t`Sign in to join the collection.`}
        unavailable={t`Sign-in is unavailable. Please try again in a moment.`}
      >
        {() => (
          <Panel>
            <CallForm
              variant="primary"
              submit={t`Join the collection`}
              failed={t`The collection could not be joined. Try again in a moment.`}
              call={async () => {
                const { id } = await orGone(
                  client.collections.join.mutate({ token }),
                  t`This invitation is not valid any more. Ask for another one.`,
                )
                await reload()
                navigate(collectionPath(id), { replace: true })
              }}
            />
          </Panel>
        )}
      </SignedInOnly>
    </Page>
  )
}

import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { SiteSettings } from '../../../shared/page-data.ts'
import { useSite } from '../../api/site.tsx'
import { lazyPart, Skeleton } from '../../ui/loading.tsx'
import { PageHeading } from '../../ui/page.tsx'
import { useSession } from '../auth/session.ts'
import { SignedInOnly } from '../auth/signed-in-only.tsx'
import styles from './create-form.module.css'
import { VisitorCreate } from './visitor-create.tsx'

const CreateScreen = lazyPart(
  async () => (await import('./create-screen.tsx')).CreateScreen,
  <FormSkeleton />,
)

/** Page on which signed-in users generate and share images. */
export function CreatePage() {
  const { i18n, t } = useLingui()
  const site = useSite()
  const words = i18n._(intro(site))
  const isVisitor = useSession().status === 'signed-out'
  return (
    <div className={styles['page']}>
      {/* In an element that phones leave out: there, the image of a user begins higher. */}
      <PageHeading title={t`Make an image`}>{isVisitor ? words : <span>{words}</span>}</PageHeading>
      <SignedInOnly
        why={t`Images belong to the user who generated them, so you need to be signed in to generate one.`}
        renderForVisitors={(signIn) => <VisitorCreate signIn={signIn} />}
        unavailable={t`Sign-in is unavailable, so images can’t be generated right now. Your draft is kept.`}
        placeholder={<FormSkeleton />}
      >
        {(viewer) => <CreateScreen key={viewer.id} viewer={viewer} />}
      </SignedInOnly>
    </div>
  )
}

function intro({ engine, engines }: SiteSettings): MessageDescriptor {
  if (engines.length > 0) {
    return msg`Describe a scene, choose an engine, and share the image with everyone if you like it.`
  }
  return engine === 'rangoli'
    ? msg`Describe a scene. On this site images are patterns drawn from the words of your prompt, not made by a model.`
    : msg`Describe a scene, let the model paint it, and share it with everyone if you like it.`
}

/** Placeholder in the size of the form, shown until the session is known. */
function FormSkeleton() {
  return (
    <>
      <div className={`stack ${styles['form']}`} aria-hidden="true">
        <Skeleton shape="line" />
        <Skeleton shape="area" />
        <Skeleton shape="line" />
        <Skeleton shape="control" />
        <Skeleton shape="pill" />
      </div>
      <div className={`stack ${styles['results']}`} aria-hidden="true">
        <div className={styles['square']}>
          <Skeleton shape="square" />
        </div>
      </div>
    </>
  )
}

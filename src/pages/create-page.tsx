import { lazy } from 'react'
import { useSite } from '../api/site.tsx'
import { FormSkeleton } from '../create/form-skeleton.tsx'
import { useSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { LazyPart } from '../ui/lazy-part.tsx'
import { Notice } from '../ui/notice.tsx'
import { PageHeading } from './page-heading.tsx'
import styles from './page.module.css'

const CreateScreen = lazy(() =>
  import('../create/create-screen.tsx').then((module) => ({ default: module.CreateScreen })),
)

/** Where signed-in people make a picture and share it. */
export function CreatePage() {
  const { engine } = useSite()
  return (
    <div className={styles['page']}>
      <PageHeading title="Make a picture">
        {engine === 'rangoli'
          ? 'Describe a scene. On this site pictures are patterns drawn from the words of your prompt, not made by a model.'
          : 'Describe a scene, let the model paint it, and share it with everyone if you like it.'}
      </PageHeading>
      <CreateBody />
    </div>
  )
}

function CreateBody() {
  const session = useSession()
  switch (session.status) {
    case 'loading':
      return <FormSkeleton />
    case 'signed-in':
      return (
        <LazyPart fallback={<FormSkeleton />}>
          <CreateScreen key={session.viewer.id} viewer={session.viewer} />
        </LazyPart>
      )
    case 'signed-out':
      return (
        <div className={styles['panel']}>
          <p>Pictures belong to the person who made them, so you need to be signed in to make one.</p>
          <Button variant="primary" onClick={session.openSignIn}>
            Sign In
          </Button>
        </div>
      )
    case 'error':
      return (
        <Notice action={<Button onClick={session.retry}>Try again</Button>}>
          The server did not say whether you are signed in.
        </Notice>
      )
  }
}

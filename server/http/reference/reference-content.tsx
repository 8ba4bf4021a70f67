import type { I18n } from '@lingui/core'
import { Trans, useLingui } from '@lingui/react/macro'
import { pagePaths } from '../../../shared/routes.ts'
import styles from '../../../src/features/reference/reference.module.css'
import { PageHeading } from '../../../src/ui/page.tsx'
import { EndpointLinks, Endpoints } from './endpoints.tsx'
import { ImagesApi, Mcp, TypeScriptClient, Webhooks } from './other-apis.tsx'
import { Code, Fact, Facts, Section, Text } from './parts.tsx'
import { examplesOf } from './samples.ts'

/** The page of the REST API: examples first, then what they need, and the other ways to use the site. */
export function ReferenceContent({ origin, english }: { origin: string; english: I18n }) {
  const { t } = useLingui()
  const sections = [
    { id: 'examples', title: t`First request`, content: <Examples origin={origin} /> },
    { id: 'authentication', title: t`Authentication`, content: <Authentication /> },
    {
      id: 'endpoints',
      title: t`Endpoints`,
      parts: <EndpointLinks origin={origin} english={english} />,
      content: (
        <>
          <p>
            <Trans>
              For programs: <a href="/api/v1/openapi.json">openapi.json</a>, in OpenAPI 3.1.
            </Trans>
          </p>
          <Endpoints origin={origin} english={english} />
        </>
      ),
    },
    { id: 'errors', title: t`Errors and limits`, content: <Errors /> },
    { id: 'openai', title: t`OpenAI Images API`, content: <ImagesApi origin={origin} /> },
    { id: 'mcp', title: t`MCP`, content: <Mcp origin={origin} /> },
    { id: 'webhooks', title: t`Webhooks`, content: <Webhooks /> },
    { id: 'typescript', title: t`TypeScript client`, content: <TypeScriptClient origin={origin} /> },
  ]
  return (
    <>
      <PageHeading
        title={t`REST API`}
      >{t`List, generate and share images from your own programs.`}</PageHeading>
      <nav aria-label={t`On this page`} className={styles['contents']}>
        <ul>
          {sections.map(({ id, title, parts }) => (
            <li key={id}>
              <a href={`#${id}`}>{title}</a>
              {parts}
            </li>
          ))}
        </ul>
      </nav>
      <div className={styles['sections']}>
        {sections.map(({ id, title, content }) => (
          <Section key={id} id={id} title={title}>
            {content}
          </Section>
        ))}
      </div>
    </>
  )
}

function Examples({ origin }: { origin: string }) {
  return (
    <>
      <p>
        <Trans>
          Each of these programs generates an image. Create an API key in{' '}
          <a href={pagePaths.account}>your account</a>, and put it into the environment variable{' '}
          <code dir="ltr">RANGOLI_TOKEN</code>.
        </Trans>
      </p>
      {examplesOf(origin).map(({ title, code }) => (
        <Code key={title} title={title}>
          {code}
        </Code>
      ))}
    </>
  )
}

function Authentication() {
  const { t } = useLingui()
  return (
    <>
      <p>
        <Text>{t`Everyone can list the posts. All other requests need an API key in the header \`Authorization: Bearer …\`. It acts as you, within your limits.`}</Text>
      </p>
      <p>
        {t`You choose the actions that a key allows. With only those that a program needs, a lost key does less damage. Other changes, such as deleting images, need all three.`}
      </p>
      <Facts label={t`Allowed actions`}>
        <Fact name="read">{t`See your images, your private posts and your daily limit.`}</Fact>
        <Fact name="generate">{t`Generate and upload images, and cancel them while they are generated.`}</Fact>
        <Fact name="share">{t`Share images, change or delete your posts, and like posts.`}</Fact>
      </Facts>
      <p>
        {t`Scripts of any site may send a key, and no cookies. Do not put a key into a page that others load.`}
      </p>
      <p>
        <Text>{t`Other servers of the operator can use the service token \`API_TOKEN\` in place of a key. It is a user of its own.`}</Text>
      </p>
    </>
  )
}

function Errors() {
  const { t } = useLingui()
  return (
    <>
      <p>{t`Every failure has this form, with a sentence for users in English. The status says what kind of failure it is.`}</p>
      <Code title={t`Response`}>{'{ "success": false, "error": "Please sign in first." }'}</Code>
      <p>
        <Text>{t`After 429 and 503, wait for the seconds in the header \`Retry-After\`. A user can send 240 writes a minute; reads are not limited.`}</Text>
      </p>
      <p>
        <Text>{t`A request may be repeated with the same \`Idempotency-Key\`: the image is generated once.`}</Text>
      </p>
    </>
  )
}

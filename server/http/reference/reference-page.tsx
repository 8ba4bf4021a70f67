import type { I18n, Messages } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { Trans, useLingui } from '@lingui/react/macro'
import { renderToStaticMarkup } from 'react-dom/server'
import { pagePaths } from '../../../shared/routes.ts'
import styles from '../../../src/features/reference/reference.module.css'
import { PageHeading } from '../../../src/ui/page.tsx'
import { languagesOf } from '../../text/catalogs.ts'
import { EndpointLinks, Endpoints } from './endpoints.tsx'
import { Code, Fact, Facts, Section, Text } from './parts.tsx'

const i18nByLanguage = languagesOf(
  import.meta.glob<{ messages: Messages }>('../../../src/i18n/locales/reference/*.po', { eager: true }),
)

/**
 * Renders the page of the REST API in a language.
 *
 * @param origin of the URLs in examples; null if the request has no valid host
 */
export function renderReference(origin: string | null, language: string): string {
  return renderToStaticMarkup(
    <I18nProvider i18n={referenceI18n(language)}>
      <ReferenceContent origin={origin ?? 'https://gallery.example.com'} english={referenceI18n('en')} />
    </I18nProvider>,
  )
}

function referenceI18n(language: string): I18n {
  const i18n = i18nByLanguage.get(language)
  if (!i18n) throw new Error(`There is no reference in ${language}.`)
  return i18n
}

/** The page of the REST API: examples first, then what they need, and the other ways to use the site. */
function ReferenceContent({ origin, english }: { origin: string; english: I18n }) {
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

/** The endpoints of OpenAI's Images API. */
function ImagesApi({ origin }: { origin: string }) {
  const { t } = useLingui()
  return (
    <>
      <p>{t`Programs that use OpenAI’s Images API work with this site: give them this base URL and an API key of yours.`}</p>
      <Code title={t`Base URL`}>{`${origin}/v1`}</Code>
      <Facts label={t`Endpoints`}>
        <Fact name="POST /v1/images/generations">{t`Generates images, also as a stream with previews.`}</Fact>
        <Fact name="POST /v1/images/edits">{t`Generates images from up to four others, and a mask.`}</Fact>
        <Fact name="GET /v1/models">{t`Lists the image engines: the id of one is a \`model\`.`}</Fact>
      </Facts>
      <p>{t`Parameters, responses and errors are those of OpenAI.`}</p>
      <Guide file="docs/openai-api.md" />
    </>
  )
}

/** The tools for assistants. */
function Mcp({ origin }: { origin: string }) {
  const { t } = useLingui()
  return (
    <>
      <p>{t`Assistants that speak the Model Context Protocol use these tools. Only the first two work without an API key.`}</p>
      <Code title={t`URL of the server`}>{`${origin}/mcp`}</Code>
      <Code title="Claude Code">
        {`claude mcp add --transport http rangoli ${origin}/mcp \\
  --header "Authorization: Bearer $RANGOLI_TOKEN"`}
      </Code>
      <Code title="mcp.json">
        {`{
  "mcpServers": {
    "rangoli": {
      "type": "http",
      "url": "${origin}/mcp",
      "headers": { "Authorization": "Bearer rgl_…" }
    }
  }
}`}
      </Code>
      <Facts label={t`Tools`}>
        <Fact name="search_posts">{t`Searches the posts of the gallery.`}</Fact>
        <Fact name="get_post">{t`Returns a post with the settings of its image.`}</Fact>
        <Fact name="generate_image">{t`Generates an image, and shares it with those who have the link unless told otherwise.`}</Fact>
        <Fact name="share_image">{t`Shares one of your images as a post.`}</Fact>
        <Fact name="my_images">{t`Lists your images.`}</Fact>
      </Facts>
      <Guide file="docs/mcp.md" />
    </>
  )
}

/** The events that the site sends to other servers. */
function Webhooks() {
  const { t } = useLingui()
  return (
    <>
      <p>
        <Trans>
          The site calls a URL of yours when one of these events happens. Create webhooks in{' '}
          <a href={pagePaths.account}>your account</a>.
        </Trans>
      </p>
      <Facts label={t`Events`}>
        <Fact name="image.succeeded">{t`An image of yours is generated.`}</Fact>
        <Fact name="image.failed">{t`An image of yours could not be generated.`}</Fact>
        <Fact name="post.created">{t`You have shared an image.`}</Fact>
        <Fact name="post.hidden">{t`A moderator has hidden a post of yours.`}</Fact>
      </Facts>
      <p>
        <Text>{t`Requests are signed as Standard Webhooks describe it. Check the signature with a library for your language:`}</Text>
      </p>
      <Code title="standardwebhooks">
        {`import { Webhook } from 'standardwebhooks'
const { type, data } = new Webhook(process.env.WEBHOOK_SECRET).verify(body, headers)`}
      </Code>
      <Guide file="docs/webhooks.md" />
    </>
  )
}

/** The package for TypeScript, and the calls that it makes. */
function TypeScriptClient({ origin }: { origin: string }) {
  const { t } = useLingui()
  return (
    <>
      <p>
        <Text>{t`The package \`rangoli-client\` has typed calls for everything that the pages of this site do. It runs in Node and in browsers, and shows the progress of a generation:`}</Text>
      </p>
      <Code title="rangoli-client">{progressExample(origin)}</Code>
      <p>
        <Text>{t`It is built from the sources of the site:`}</Text>
      </p>
      <Code title="npm">
        {`npm run pack:client -- /tmp
npm install /tmp/rangoli-client-*.tgz`}
      </Code>
      <Guide file="docs/api.md" />
    </>
  )
}

/** Names the guide with everything else about an API. */
function Guide({ file }: { file: string }) {
  const { t } = useLingui()
  return (
    <p>
      <Text>{t`More is in \`${file}\` of the sources of Rangoli.`}</Text>
    </p>
  )
}

/** Programs of a few lines that generate an image. */
export function examplesOf(origin: string): readonly { readonly title: string; readonly code: string }[] {
  return [
    {
      title: 'curl',
      code: `curl ${origin}/api/v1/imgGenerate \\
  -H "Authorization: Bearer $RANGOLI_TOKEN" \\
  --json '{"prompt":"A lotus at dawn"}' -o lotus.json`,
    },
    {
      title: 'fetch',
      code: `const headers = { Authorization: \`Bearer \${process.env.RANGOLI_TOKEN}\`, 'Content-Type': 'application/json' }
const body = JSON.stringify({ prompt: 'A lotus at dawn' })
const response = await fetch('${origin}/api/v1/imgGenerate', { method: 'POST', headers, body })`,
    },
    {
      title: 'rangoli-client',
      code: `import { createRangoliClient, generateImage } from 'rangoli-client'
const rangoli = createRangoliClient({ url: '${origin}', token: process.env.RANGOLI_TOKEN })
const { image } = await generateImage(rangoli, { prompt: 'A lotus at dawn' })`,
    },
    {
      title: 'openai',
      code: `import OpenAI from 'openai'
const openai = new OpenAI({ baseURL: '${origin}/v1', apiKey: process.env.RANGOLI_TOKEN })
const { data } = await openai.images.generate({ prompt: 'A lotus at dawn' })`,
    },
  ]
}

/** Program that follows a generation with `rangoli-client`. */
export function progressExample(origin: string): string {
  return `import { createRangoliClient, generateImage } from 'rangoli-client'

const rangoli = createRangoliClient({ url: '${origin}', token: process.env.RANGOLI_TOKEN })
const generation = generateImage(rangoli, { prompt: 'A lotus at dawn' })
for await (const event of generation) if (event.type === 'progress') console.log(event.progress)
const { image } = await generation`
}

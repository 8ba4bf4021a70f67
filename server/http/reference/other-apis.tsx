import { Trans, useLingui } from '@lingui/react/macro'
import { pagePaths } from '../../../shared/routes.ts'
import { Code, Fact, Facts, Text } from './parts.tsx'
import { progressExample } from './samples.ts'

/** The endpoints of OpenAI's Images API. */
export function ImagesApi({ origin }: { origin: string }) {
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
export function Mcp({ origin }: { origin: string }) {
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
export function Webhooks() {
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
export function TypeScriptClient({ origin }: { origin: string }) {
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
npm install /tmp/rangoli-client-0.1.0.tgz`}
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

import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import styles from '../../../src/features/reference/reference.module.css'
import {
  jsonSchema,
  messagesByStatus,
  restOperations,
  type JsonSchema,
  type RestExample,
  type RestOperation,
} from '../../rest/openapi.ts'
import { Code, Fact, Facts, Literal, Text } from './parts.tsx'

interface Endpoint {
  readonly method: string
  readonly path: string
  readonly operation: RestOperation
}

interface Field {
  readonly name: string
  readonly schema: JsonSchema
  readonly isRequired: boolean
}

/** Describes the endpoints of REST as `openapi.json` does, with its sentences in the language of the page. */
export function Endpoints({ origin, english }: { origin: string; english: I18n }) {
  return endpointsAt(origin).map((endpoint) => (
    <EndpointSection
      key={endpoint.operation.operationId}
      endpoint={endpoint}
      origin={origin}
      english={english}
    />
  ))
}

/** Links to the endpoints. */
export function EndpointLinks({ origin, english }: { origin: string; english: I18n }) {
  const { i18n } = useLingui()
  return (
    <ul>
      {endpointsAt(origin).map(({ operation: { operationId, summary } }) => (
        <li key={operationId}>
          <a href={`#${operationId}`}>{translateDescription(summary, i18n, english)}</a>
        </li>
      ))}
    </ul>
  )
}

function endpointsAt(origin: string): readonly Endpoint[] {
  return Object.entries(restOperations(origin)).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: `/api/v1${path}`,
      operation,
    })),
  )
}

function EndpointSection({
  endpoint,
  origin,
  english,
}: {
  endpoint: Endpoint
  origin: string
  english: I18n
}) {
  const { t, i18n } = useLingui()
  const { method, path, operation } = endpoint
  const { operationId, summary, description, scopes, parameters = [], body, success, failures } = operation
  const translate = (text: string) => translateDescription(text, i18n, english)
  const [scope] = scopes ?? []
  const id = `endpoint-${operationId}`
  const fields = fieldsOf(body)
  const example = shownExample(operation)
  return (
    <section id={operationId} aria-labelledby={id} className={styles['endpoint']}>
      <div className={styles['part']}>
        <h3 id={id}>{translate(summary)}</h3>
        <p className={styles['address']} dir="ltr">
          <span className={styles['method']}>{method}</span> <Literal>{path}</Literal>
        </p>
        <p>
          <Text>{translate(description)}</Text>
        </p>
        <p>
          <Text>
            {scope === undefined
              ? t`Needs no API key.`
              : t`Needs an API key that allows \`${scope}\`, or the service token.`}
          </Text>
        </p>
      </div>
      {example && (
        <div className={styles['samples']}>
          <Code title={t`Request`}>{curlOf(endpoint, example, origin)}</Code>
          <Code title={t`Response`}>{JSON.stringify(example.response, null, 2)}</Code>
        </div>
      )}
      <div className={styles['part']}>
        {parameters.length > 0 && (
          <>
            <h4>{t`Parameters`}</h4>
            <Facts label={t`Parameters`}>
              {parameters.map(({ name, in: place, schema }) => (
                <Fact key={name} name={name} detail={<Type schema={schema} place={place} />}>
                  {schema.description && translate(schema.description)}
                </Fact>
              ))}
            </Facts>
          </>
        )}
        {fields.length > 0 && (
          <>
            <h4>{t`Body`}</h4>
            <Facts label={t`Body`}>
              {fields.map(({ name, schema, isRequired }) => (
                <Fact key={name} name={name} detail={<Type schema={schema} isRequired={isRequired} />}>
                  {schema.description && translate(schema.description)}
                </Fact>
              ))}
            </Facts>
          </>
        )}
        <details className={styles['details']}>
          <summary>
            {t`Response`} {success.status}
          </summary>
          <p>
            <Text>{translate(success.description)}</Text>
          </p>
          <Facts label={t`Response`}>
            {Object.entries(success.headers ?? {}).map(([name, header]) => (
              <Fact key={name} name={name} detail={<Type schema={header.schema} place="header" />}>
                {translate(header.description)}
              </Fact>
            ))}
            {responseFields(jsonSchema(success.response)).map(({ name, schema, isRequired }) => (
              <Fact key={name} name={name} detail={<Type schema={schema} isOptional={!isRequired} />}>
                {schema.description && translate(schema.description)}
              </Fact>
            ))}
          </Facts>
        </details>
        <details className={styles['details']}>
          <summary>{t`Errors`}</summary>
          <Facts label={t`Errors`}>
            {Array.from(messagesByStatus(failures), ([status, messages]) => (
              <div key={status}>
                <dt>
                  <Literal>{String(status)}</Literal>
                </dt>
                {messages.map((message) => (
                  <dd key={message} dir="ltr" lang="en" translate="no">
                    {message}
                  </dd>
                ))}
              </div>
            ))}
          </Facts>
        </details>
      </div>
    </section>
  )
}

/** Type of a value and its limits, in the words of JSON Schema. */
function Type(props: { schema: JsonSchema; place?: string; isRequired?: boolean; isOptional?: boolean }) {
  const { t } = useLingui()
  const notes = [
    props.place === 'query' && t({ message: 'query', context: 'place of a parameter' }),
    props.place === 'header' && t({ message: 'header', context: 'place of a parameter' }),
    props.isRequired === true && t({ message: 'required', context: 'field' }),
    props.isOptional === true && t({ message: 'optional', context: 'field' }),
  ].filter((note) => note !== false)
  return (
    <>
      <span dir="ltr" lang="en" translate="no">
        {typeOf(props.schema)}
      </span>
      {notes.map((note) => (
        <span key={note}>{note}</span>
      ))}
    </>
  )
}

function typeOf(schema: JsonSchema): string {
  const { type, anyOf, items, minimum, maximum, maxItems, format } = schema
  if (schema['enum']) return (schema['enum'] as readonly string[]).join(' | ')
  if ('const' in schema) return String(schema['const'])
  if (Array.isArray(anyOf)) {
    return (anyOf as readonly JsonSchema[]).map(typeOf).join(' | ')
  }
  if (Array.isArray(type)) return type.join(' | ')
  if (type === 'array') {
    const count = typeof maxItems === 'number' ? `, ${maxItems} at most` : ''
    return `${typeOf(items as JsonSchema)}[]${count}`
  }
  const range = minimum === undefined && maximum === undefined ? '' : ` ${String(minimum)}–${String(maximum)}`
  return `${String(type)}${typeof format === 'string' ? ` (${format})` : ''}${range}`
}

function fieldsOf({ properties = {}, required }: JsonSchema = {}, path = ''): Field[] {
  const names = (required ?? []) as readonly string[]
  return Object.entries(properties).map(([name, schema]) => ({
    name: path + name,
    schema,
    isRequired: names.includes(name),
  }))
}

/** Returns the fields of a response with those of the objects in it. */
function responseFields(schema: JsonSchema, path = ''): Field[] {
  return fieldsOf(schema, path).flatMap((field) => {
    const { items, type } = field.schema
    const inner = type === 'array' ? (items as JsonSchema) : field.schema
    const name = type === 'array' ? `${field.name}[]` : field.name
    return [field].concat(inner.properties ? responseFields(inner, `${name}.`) : [])
  })
}

/** Returns the successful example that shows the most of the request. */
function shownExample({ success, examples }: RestOperation): RestExample | undefined {
  const sizeOf = ({ parameters, body }: RestExample) => JSON.stringify({ ...parameters, ...body }).length
  return Object.values(examples)
    .filter(({ status }) => status === success.status)
    .toSorted((one, other) => sizeOf(other) - sizeOf(one))[0]
}

/** Returns the command that sends the request of an example. */
function curlOf({ method, path, operation }: Endpoint, example: RestExample, origin: string): string {
  const { parameters = [], scopes } = operation
  const given = parameters.flatMap(({ name, in: place }) => {
    const value = example.parameters?.[name]
    return value === undefined ? [] : [{ name, place, value: String(value) }]
  })
  const query = new URLSearchParams(
    given.flatMap(({ name, place, value }) => (place === 'query' ? [[name, value]] : [])),
  ).toString()
  const url = `${origin}${path}${query && `?${query}`}`
  return [
    `curl ${method === 'GET' || example.body ? '' : `-X ${method} `}${query ? `'${url}'` : url}`,
    ...(scopes === null ? [] : ['-H "Authorization: Bearer $RANGOLI_TOKEN"']),
    ...given.flatMap(({ name, place, value }) => (place === 'header' ? [`-H '${name}: ${value}'`] : [])),
    ...(example.body ? [`--json '${JSON.stringify(example.body, null, 2).replaceAll('\n', '\n  ')}'`] : []),
  ].join(' \\\n  ')
}

/** The sentences of `openapi.json` about endpoints and fields, for their translation. */
const descriptions: readonly MessageDescriptor[] = [
  msg`List posts`,
  msg`Returns the newest 1,000 at most, oldest first. If there are more, the header \`Link\` holds the URL of the posts before them.`,
  msg`Part of an author's name or of a prompt, ignoring case; all posts without it. A search term may have at most 500 characters.`,
  msg`Maximum number of entries.`,
  msg`The opaque cursor of a \`Link\` header.`,
  msg`The matching posts.`,
  msg`\`<URL>; rel="next"\` if there are older posts.`,
  msg`Oldest first.`,
  msg`Id of the post.`,
  msg`The author's name, as shown in the gallery.`,
  msg`Empty if the author hides it.`,
  msg`Absolute URL of a JPEG.`,
  msg`Only if the image is marked as sensitive: blur it until a user asks for it.`,
  msg`Share an image`,
  msg`A photo that is, byte for byte, one of the caller's own images shares that image. Any other is an upload: it is converted to JPEG without metadata, labelled as uploaded, and counted, also if it cannot be read. One upload per user is processed at a time; another waits up to 10 seconds. Sharing the same image and prompt again returns the post that exists, so the call can be repeated. Sharing an image that a moderator has hidden or deleted responds 403.`,
  msg`Name of the author in the gallery; User by default. A name may have at most 80 characters.`,
  msg`Description of the image. A prompt may have at most 4,000 characters.`,
  msg`Id of one of the caller's images.`,
  msg`JPEG, PNG or WebP as a data URL, at most 20 MB and 40 megapixels; instead of \`imageId\`.`,
  msg`Users who see the post; the default of the account without it.`,
  msg`True if only the author sees the prompt. Others can’t search for it either.`,
  msg`True if the image is blurred until a visitor asks for it.`,
  msg`The post.`,
  msg`A shared image.`,
  msg`Generate an image`,
  msg`Waits for the image, which may take minutes, and returns it. It is stored even if the client disconnects: a request with the same \`Idempotency-Key\` returns it. After a failure, the same key starts a new generation. Everything but the prompt is optional; \`GET /trpc/engines.list\` lists the engines with what each supports. An engine that always draws the same image for a prompt returns the one that exists, uncounted. Post it to \`/post\` to share it; until then only its owner sees it.`,
  msg`Idempotency key of your choice: another call with the same key returns the same image.`,
  msg`Id of an image engine, from \`engines.list\`; the first by default.`,
  msg`One of the models of the engine; its default without it.`,
  msg`Width and height in pixels, such as \`1024x768\`; the default of the engine without it.`,
  msg`Random seed: the same settings and seed give a similar image again. Further images take the following seeds.`,
  msg`What the image should not show. A negative prompt may have at most 4,000 characters.`,
  msg`Ids of finished images of the caller that the new image is based on.`,
  msg`Id of a finished image of the caller whose white areas are redrawn in the first reference image.`,
  msg`How far the image may differ from the first reference image, from 0 to 1.`,
  msg`Id of the post that the image is a remix of.`,
  msg`The image.`,
  msg`A JPEG in base64.`,
]

/** Returns a sentence of `openapi.json` in a language. One that has no translation stays English. */
function translateDescription(text: string, i18n: I18n, english: I18n): string {
  const descriptor = descriptions.find((candidate) => english._(candidate) === text)
  return descriptor ? i18n._(descriptor) : text
}

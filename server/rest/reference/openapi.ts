import { createPost } from './create-post.ts'
import { describeOperation } from './describe-operation.ts'
import { generateImage } from './generate-image.ts'
import { listPosts } from './list-posts.ts'
import { failureAnswer } from '../answers.ts'
import { schemaOf } from './schemas.ts'

/** Every call of the REST door. */
const operations = [listPosts, createPost, generateImage]

/** The REST door described in OpenAPI 3.1, for the site at `origin`; its schemas are those by which it refuses. */
export function openApiDocument(origin: string, siteName: string) {
  const paths: Record<string, object> = {}
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method]: describeOperation(operation, origin),
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `${siteName}: the calls of REST`,
      version: '1.0.0',
      description: [
        'Every failure has the same form, `{ "success": false, "error": "…" }`, with a sentence for people.',
        'Scripts of any site may call with a token; cookies count for this site’s own pages alone.',
        'Everything here, and more, can be called by tRPC as well, with types and streams.',
      ].join('\n\n'),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${origin}/api/v1`, description: siteName }],
    security: [{ bearer: [] }],
    tags: [{ name: 'Gallery', description: 'Pictures, and those that were shared.' }],
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A personal token from the account page, a session token of the sign-in service, or the site’s own API_TOKEN.',
        },
      },
      schemas: { Failure: schemaOf(failureAnswer) },
    },
  }
}

import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

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
export function translateDescription(text: string, i18n: I18n, english: I18n): string {
  const descriptor = descriptions.find((candidate) => english._(candidate) === text)
  return descriptor ? i18n._(descriptor) : text
}

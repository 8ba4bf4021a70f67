import type { EngineKind } from '../../shared/engines.ts'
import type { Recipe } from '../../shared/images.ts'
import { loraTags } from '../../shared/infotext.ts'
import type { SourceType } from '../../shared/marks.ts'

/** Descriptions of generated images for their files. */
const pattern = {
  description:
    'A pattern drawn by an algorithm from the words of a prompt. It is not a photograph and not an image made by an AI model.',
  digitalSourceType: 'algorithmicMedia',
} as const
const modelOutput = {
  description: 'An image made by an AI model from a prompt.',
  digitalSourceType: 'trainedAlgorithmicMedia',
} as const

/** Engine and model that generated an image. */
export interface ImageProducer {
  readonly kind: EngineKind
  readonly model: string
}

/** Namespace of our own fields, which identifies XMP that this program wrote. */
export const xmpNamespace = 'urn:rangoli:image:1.0:'

/**
 * Builds the XMP packet for a generated image's file: its producer and the IPTC's digital source type. Leaves the prompt
 * out, since the author may share the image under another one.
 */
export function imageXmp({ kind, model }: ImageProducer): string {
  const { description } = descriptionOf(kind)
  return packetOf(`<rdf:Description rdf:about=""
      xmlns:xmp="http://ns.adobe.com/xap/1.0/"
      xmlns:dc="http://purl.org/dc/elements/1.1/"
      xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
      xmlns:rangoli="${xmpNamespace}"
      xmp:CreatorTool="Rangoli"
      Iptc4xmpExt:DigitalSourceType="${digitalSourceTypeOf(kind)}"
      rangoli:Engine="${kind}"
      rangoli:Model="${escapeXml(model)}">
      <dc:description>
        <rdf:Alt>
          <rdf:li xml:lang="x-default">${description}</rdf:li>
        </rdf:Alt>
      </dc:description>
    </rdf:Description>`)
}

/** Wraps the description of a file. */
function packetOf(description: string): string {
  return `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
  <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    ${description}
  </rdf:RDF>
</x:xmpmeta>
<?xpacket end="r"?>`
}

function descriptionOf(kind: EngineKind) {
  return kind === 'rangoli' ? pattern : modelOutput
}

/** @see https://cv.iptc.org/newscodes/digitalsourcetype/ */
export function sourceTypeUrl(type: SourceType): string {
  return `http://cv.iptc.org/newscodes/digitalsourcetype/${type}`
}

/** Builds the XMP packet for the copy of an upload that was marked: nothing but its digital source type. */
export function markXmp(type: SourceType): string {
  return packetOf(`<rdf:Description rdf:about=""
      xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
      Iptc4xmpExt:DigitalSourceType="${sourceTypeUrl(type)}"/>`)
}

/** Returns the URL of the IPTC's digital source type of an engine's images. */
export function digitalSourceTypeOf(kind: EngineKind): string {
  return sourceTypeUrl(descriptionOf(kind).digitalSourceType)
}

/**
 * Adds a recipe to a packet of `imageXmp`, with the prompt also in the IPTC's property for prompts of models.
 *
 * @param maxBytes size above which texts are left out
 */
export function addRecipe(packet: string, producer: ImageProducer, recipe: Recipe, maxBytes: number): string {
  const isModel = producer.kind !== 'rangoli'
  const settings = {
    'rangoli:EngineLabel': recipe.engineLabel,
    'rangoli:Size': recipe.size,
    'rangoli:Seed': recipe.seed,
    'rangoli:Steps': recipe.steps,
    'rangoli:Sampler': recipe.sampler,
    'rangoli:Scheduler': recipe.scheduler,
    'rangoli:CfgScale': recipe.cfgScale,
    'rangoli:Strength': recipe.strength,
    'rangoli:Loras': loraTags(recipe.loras ?? []),
    'rangoli:Upscale': recipe.upscale ?? null,
    'rangoli:RemixOf': recipe.remixOf,
    'rangoli:Style': recipe.style?.name ?? null,
    'Iptc4xmpExt:AISystemUsed': isModel ? producer.model : null,
  }
  const texts = { 'rangoli:Prompt': recipe.prompt, 'rangoli:NegativePrompt': recipe.negativePrompt }
  const standardTexts = { 'Iptc4xmpExt:AIPromptInformation': isModel ? recipe.prompt : null }
  const packets = [{ ...settings, ...texts, ...standardTexts }, { ...settings, ...texts }, settings].map(
    (properties) => packet.replace(endOfRdf, () => recipeDescription(properties) + endOfRdf),
  )
  return packets.find((one) => Buffer.byteLength(one) <= maxBytes) ?? packet
}

/** Removes what `addRecipe` has added; null for a packet without a recipe. */
export function withoutRecipe(packet: string): string | null {
  const start = packet.indexOf(startOfRecipe)
  const end = packet.lastIndexOf(endOfRdf)
  return start >= 0 && end > start ? packet.slice(0, start) + packet.slice(end) : null
}

const startOfRecipe = `    <rdf:Description rdf:about=""
      xmlns:rangoli="${xmpNamespace}"`
const endOfRdf = '  </rdf:RDF>\n'

function recipeDescription(properties: Readonly<Record<string, string | number | null>>): string {
  const elements = Object.entries(properties).filter(([, value]) => value !== null && value !== '')
  return `${startOfRecipe}
      xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/">
${elements.map(([name, value]) => `      <${name}>${escapeXml(String(value))}</${name}>\n`).join('')}    </rdf:Description>
`
}

/** Characters that XML does not allow, not even escaped. @see https://www.w3.org/TR/xml/#charsets */
export const notXml = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu

function escapeXml(text: string): string {
  return text
    .replaceAll(notXml, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

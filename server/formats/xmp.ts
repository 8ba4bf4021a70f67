import type { EngineKind } from '../../shared/engines.ts'

/** Descriptions of generated images for their files. */
const pattern = {
  description:
    'A pattern drawn by an algorithm from the words of a prompt. It is not a photograph and not an image made by an AI model.',
  digitalSourceType: 'algorithmicMedia',
}
const modelOutput = {
  description: 'An image made by an AI model from a prompt.',
  digitalSourceType: 'trainedAlgorithmicMedia',
}

/** Engine and model that generated an image. */
export interface ImageProducer {
  readonly kind: EngineKind
  readonly model: string
}

/** Base URL of the IPTC's digital source types. @see https://cv.iptc.org/newscodes/digitalsourcetype/ */
const sourceTypes = 'http://cv.iptc.org/newscodes/digitalsourcetype/'

/** Namespace of our own fields, which identifies XMP that this program wrote. */
export const xmpNamespace = 'urn:rangoli:image:1.0:'

/**
 * Builds the XMP packet for a generated image's file: its producer and the IPTC's digital source type. Leaves the prompt
 * out, since the author may share the image under another one.
 */
export function imageXmp({ kind, model }: ImageProducer): string {
  const { description, digitalSourceType } = kind === 'rangoli' ? pattern : modelOutput
  return `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
  <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description rdf:about=""
      xmlns:xmp="http://ns.adobe.com/xap/1.0/"
      xmlns:dc="http://purl.org/dc/elements/1.1/"
      xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
      xmlns:rangoli="${xmpNamespace}"
      xmp:CreatorTool="Rangoli"
      Iptc4xmpExt:DigitalSourceType="${sourceTypes}${digitalSourceType}"
      rangoli:Engine="${kind}"
      rangoli:Model="${escapeXml(model)}">
      <dc:description>
        <rdf:Alt>
          <rdf:li xml:lang="x-default">${description}</rdf:li>
        </rdf:Alt>
      </dc:description>
    </rdf:Description>
  </rdf:RDF>
</x:xmpmeta>
<?xpacket end="r"?>`
}

function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

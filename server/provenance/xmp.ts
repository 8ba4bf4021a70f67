/** What an image says about its own making. */
export interface Provenance {
  /** The program that wrote the file. */
  readonly creatorTool: string
  /** One sentence on how the image came about, in English. */
  readonly description: string
  /** A term of the IPTC's digital source type vocabulary: the last part of its address. */
  readonly digitalSourceType: string
  readonly engine: string
  readonly model: string
}

const SOURCE_TYPES = 'http://cv.iptc.org/newscodes/digitalsourcetype/'

/** Namespace of our own fields, by which our XMP is told from others'. */
export const xmpNamespace = 'urn:rangoli:image:1.0:'

/** The XMP packet for an image's file; it holds what is given here and nothing else. */
export function buildXmp(provenance: Provenance): string {
  return `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
  <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description rdf:about=""
      xmlns:xmp="http://ns.adobe.com/xap/1.0/"
      xmlns:dc="http://purl.org/dc/elements/1.1/"
      xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
      xmlns:rangoli="${xmpNamespace}"
      xmp:CreatorTool="${escapeXml(provenance.creatorTool)}"
      Iptc4xmpExt:DigitalSourceType="${SOURCE_TYPES}${escapeXml(provenance.digitalSourceType)}"
      rangoli:Engine="${escapeXml(provenance.engine)}"
      rangoli:Model="${escapeXml(provenance.model)}">
      <dc:description>
        <rdf:Alt>
          <rdf:li xml:lang="x-default">${escapeXml(provenance.description)}</rdf:li>
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

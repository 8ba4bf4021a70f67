import { buildXmp } from './xmp.ts'

/** What a file that we encode says of the image in it, by the engine that made it. */
const makings = {
  rangoli: {
    description:
      'A pattern drawn by an algorithm from the words of a prompt. It is not a photograph and not an image made by an AI model.',
    digitalSourceType: 'algorithmicMedia',
  },
  openai: {
    description: 'An image made by an AI model from a prompt.',
    digitalSourceType: 'trainedAlgorithmicMedia',
  },
} as const

/** Who made an image. */
export interface ImageProducer {
  readonly name: keyof typeof makings
  readonly model: string
}

/** The maker that an image's row names; null for an upload. */
export function makerOf({
  engine,
  model,
}: {
  engine: string | null
  model: string | null
}): ImageProducer | null {
  const name = (Object.keys(makings) as ImageProducer['name'][]).find((known) => known === engine)
  return name && model !== null ? { name, model } : null
}

/**
 * The XMP for a made image's file: its maker and the IPTC's digital source type. The prompt is not in it, as its
 * author may share the image under another.
 */
export function imageXmp({ name, model }: ImageProducer): string {
  return buildXmp({ creatorTool: 'Rangoli', ...makings[name], engine: name, model })
}

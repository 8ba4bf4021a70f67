import { buildXmp } from './xmp.ts'

/** What a file that we encode says of the picture in it, by the engine that made it. */
const makings = {
  rangoli: {
    description:
      'A pattern drawn by an algorithm from the words of a prompt. It is not a photograph and not a picture made by an AI model.',
    digitalSourceType: 'algorithmicMedia',
  },
  openai: {
    description: 'A picture made by an AI model from a prompt.',
    digitalSourceType: 'trainedAlgorithmicMedia',
  },
} as const

/** Who made a picture. */
export interface PictureMaker {
  readonly name: keyof typeof makings
  readonly model: string
}

/** The maker that a picture's row names; null for an upload. */
export function makerOf({
  engine,
  model,
}: {
  engine: string | null
  model: string | null
}): PictureMaker | null {
  const name = (Object.keys(makings) as PictureMaker['name'][]).find((known) => known === engine)
  return name && model !== null ? { name, model } : null
}

/**
 * The XMP for a made picture's file: its maker and the IPTC's digital source type. The prompt is not in it, as its
 * author may share the picture under another.
 */
export function pictureXmp({ name, model }: PictureMaker): string {
  return buildXmp({ creatorTool: 'Rangoli', ...makings[name], engine: name, model })
}

/**
 * Terms of the IPTC's digital source types that are shown in words.
 *
 * @see https://cv.iptc.org/newscodes/digitalsourcetype/
 */
export const sourceTypes = [
  'trainedAlgorithmicMedia',
  'compositeWithTrainedAlgorithmicMedia',
  'compositeSynthetic',
  'algorithmicMedia',
  'algorithmicallyEnhanced',
  'digitalCreation',
  'digitalCapture',
  'computationalCapture',
] as const

export type SourceType = (typeof sourceTypes)[number]

/** What the metadata of a file says about how its image was made. Anyone can write or remove it. */
export interface ImageMarks {
  /** Null if the file names none. */
  readonly sourceType: SourceType | null
  /** Program whose settings the file contains, such as `ComfyUI`; null for none. */
  readonly generator: string | null
  /** True if the file carries Content Credentials. Their signature is not verified. */
  readonly hasCredentials: boolean
}

/** Reports whether a digital source type is that of an image which an AI model made or changed. */
export function isAiType(type: SourceType): boolean {
  return type === 'trainedAlgorithmicMedia' || type === 'compositeWithTrainedAlgorithmicMedia'
}

/** Reports whether marks say that an AI model made the image, or changed it. Content Credentials alone do not. */
export function saysAiMade({ sourceType, generator }: ImageMarks): boolean {
  if (sourceType && isAiType(sourceType)) return true
  // Patterns of this program are no output of a model; images of its other engines have a source type.
  return generator !== null && generator !== 'Rangoli'
}

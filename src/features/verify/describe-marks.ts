import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { ImageMarks, SourceType } from '../../../shared/marks.ts'

const camera = msg`Its file says that a camera took it.`

const sourceSentences: Readonly<Record<SourceType, MessageDescriptor>> = {
  trainedAlgorithmicMedia: msg`Its file says that an AI model made it.`,
  compositeWithTrainedAlgorithmicMedia: msg`Its file says that it was edited with an AI model.`,
  compositeSynthetic: msg`Its file says that it is put together from parts, some of which a program made.`,
  algorithmicMedia: msg`Its file says that a program drew it, without an AI model.`,
  algorithmicallyEnhanced: msg`Its file says that a program enhanced it.`,
  digitalCreation: msg`Its file says that a person made it with software.`,
  digitalCapture: camera,
  computationalCapture: camera,
}

/** Says in sentences what the metadata of a file says. */
export function describeMarks({ sourceType, generator, hasCredentials }: ImageMarks, i18n: I18n): string[] {
  return [
    sourceType && sourceSentences[sourceType],
    generator !== null && msg`Its file contains settings of ${generator}.`,
    hasCredentials && msg`Its file has Content Credentials, whose signature this site does not check.`,
  ].flatMap((sentence) => (sentence ? i18n._(sentence) : []))
}

import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { ReportReason } from '../../shared/moderation.ts'

/** Labels of the reasons for a report. */
export const reasonLabels: Readonly<Record<ReportReason, MessageDescriptor>> = {
  illegal: msg`It breaks the law`,
  sexual: msg`It is sexual or shows nudity`,
  violent: msg`It is violent or cruel`,
  hateful: msg`It is hateful or bullies someone`,
  user: msg`It shows someone without their consent`,
  copyright: msg`It copies someone’s work`,
  spam: msg`It is spam or advertising`,
  other: msg`Something else`,
}

import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { SiteSettings } from '../../../shared/page-data.ts'

export function galleryHeading({ name: siteName }: SiteSettings, i18n: I18n): string {
  return i18n._(msg`${siteName} — Text-to-Image AI Generator`)
}

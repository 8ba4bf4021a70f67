import { useLingui } from '@lingui/react/macro'
import { skipToken } from '@tanstack/react-query'
import { isSucceeded, type Image, type SucceededImage } from '../../../shared/images.ts'
import { trpc } from '../../api/trpc.ts'
import type { Comparison } from '../../images/compare.tsx'

/**
 * Returns what an own image can be compared with: what it was made from, as far as that exists, and the other images of its
 * request.
 */
export function useComparisons(image: SucceededImage | undefined, batch: readonly Image[]): Comparison[] {
  const { t } = useLingui()
  const { sourceImageId, referenceImageIds = [], remixOf = null } = image?.recipe ?? {}
  const sourceIds = [...(sourceImageId === undefined ? [] : [sourceImageId]), ...referenceImageIds]
  const sources = trpc.useQueries((query) => sourceIds.map((id) => query.images.get({ id })))
  const { data: remixed } = trpc.posts.get.useQuery(remixOf === null ? skipToken : { id: remixOf })
  const others = batch.flatMap((one, index) => {
    const number = index + 1
    return isSucceeded(one) && one.id !== image?.id ? [{ label: t`Image ${number}`, image: one }] : []
  })
  return [
    ...sources.flatMap(({ data }) => (data && isSucceeded(data) ? [{ label: t`Before`, image: data }] : [])),
    ...(remixed && !remixed.isSensitive ? [{ label: t`Remixed post`, image: remixed }] : []),
    ...others,
  ]
}

import { flushSync } from 'react-dom'
import { isSucceeded, type Image, type SucceededImage } from '../../../shared/images.ts'
import { useAnnounce } from '../../ui/announcer.tsx'
import { elementIds, focusFirst } from './element-ids.ts'
import type { Creation } from './use-creation.ts'

/** Returns a function that puts an image and its prompt into the form; the prompt only, if the image can't be shared. */
export function useImageIntoForm(creation: Creation): (image: Image) => void {
  const announce = useAnnounce()
  return (image) => {
    const { prompt } = image
    // Synchronously, as the Share button has to exist before it can be focused.
    flushSync(() => {
      creation.dismissFailure()
      creation.change(isShareable(image) ? { image, prompt } : { prompt })
    })
    if (isShareable(image)) {
      focusFirst(elementIds.share)
      announce('The image is in the form, ready to be shared.')
    } else {
      focusFirst(elementIds.prompt)
      announce('The prompt is in the form.')
    }
  }
}

/** Narrows an image to one that can be shared: its file is stored, and no administrator has hidden it. */
export function isShareable(image: Image): image is SucceededImage {
  return isSucceeded(image) && !image.isHidden
}

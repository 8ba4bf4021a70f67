import { flushSync } from 'react-dom'
import type { Image, ReadyImage } from '../../shared/images.ts'
import { useAnnounce } from '../ui/announcer.tsx'
import { elementIds, focusFirst } from './element-ids.ts'
import type { Creation } from './use-creation.ts'

/** Returns a function that puts an image and its prompt, or the prompt alone of one that failed, into the form. */
export function useImageIntoForm(creation: Creation): (image: Image) => void {
  const announce = useAnnounce()
  return (image) => {
    const { prompt } = image
    // At once, as the button to go on with has to be there before it can have the focus.
    flushSync(() => {
      creation.dismissFailure()
      creation.change(isReady(image) ? { image, prompt } : { prompt })
    })
    if (isReady(image)) {
      focusFirst(elementIds.share)
      announce('The picture is in the form, ready to be shared.')
    } else {
      focusFirst(elementIds.prompt)
      announce('The words are in the form.')
    }
  }
}

/** Narrows an image to one whose picture is stored. */
export function isReady(image: Image): image is ReadyImage {
  return image.state === 'ready'
}

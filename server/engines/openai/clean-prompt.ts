// stable-diffusion.cpp's server reads JSON between these tags as parameters, over those of the request.
const overrides = /<sd_cpp_extra_args>.*?(?:<\/sd_cpp_extra_args>|$)/gis

/**
 * The prompt without what a server would take for parameters rather than words.
 *
 * A space takes its place, so that what stood around it can't close up to a new tag.
 * LocalAI's `|`, after which it reads what should not be in the picture, is left alone: it steers the picture and
 * nothing else, some want it, and to every other server it is a plain character.
 */
export function cleanPrompt(prompt: string): string {
  return prompt.replace(overrides, ' ').trim()
}

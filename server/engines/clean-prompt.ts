/** Tags of stable-diffusion.cpp, whose server reads JSON between them as parameters that override those of the request. */
const parameterTags = /<sd_cpp_extra_args>.*?(?:<\/sd_cpp_extra_args>|$)/gis

/**
 * Replaces embedded parameters with a space, so that the text around them cannot form a new tag.
 *
 * Keeps LocalAI's `|`, which starts a negative prompt: it affects only the image, and other servers treat it as text.
 */
export function cleanPrompt(prompt: string): string {
  return prompt.replace(parameterTags, ' ').trim()
}

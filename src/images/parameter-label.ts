/** Formats the name of a parameter of a model for users, such as `aspect ratio`. */
export function parameterLabel(name: string): string {
  return name.replaceAll('_', ' ')
}

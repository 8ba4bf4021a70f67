/** How many things of about `size` fit around a circle, as a multiple of the image's order. */
export function firmCount(order: number, radius: number, size: number): number {
  const fitting = (2 * Math.PI * radius) / size
  return order * Math.max(1, Math.round(fitting / order))
}

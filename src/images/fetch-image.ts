/** The bytes of an image. Throws where there are none to be had. */
export async function fetchImage(photo: string, signal?: AbortSignal): Promise<Blob> {
  const response = await fetch(photo, signal ? { signal } : {})
  if (!response.ok) throw new Error(`The server answered ${response.status}`)
  return response.blob()
}

/** The bytes of a picture. Throws where there are none to be had. */
export async function fetchPicture(photo: string, signal?: AbortSignal): Promise<Blob> {
  const response = await fetch(photo, signal ? { signal } : {})
  if (!response.ok) throw new Error(`The server answered ${response.status}`)
  return response.blob()
}

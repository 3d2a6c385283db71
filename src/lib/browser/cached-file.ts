/** Large files of the app's own host, which a page fetches at their first use and then stores in Cache Storage. */

interface CachedFile {
  cache: string
  url: string
  type: string
  /** The first four bytes of a valid file. An error page begins with other bytes. */
  magic: number
}

/** True if the file is on the device. @throws if the browser has no Cache Storage */
export const isCached = async ({ cache, url }: CachedFile): Promise<boolean> =>
  (await (await caches.open(cache)).match(url)) !== undefined

/** Loads the file from the device, else from the host. @throws if neither has it, or the device is full */
export async function loadCached(
  { cache, url, type, magic }: CachedFile,
  signal?: AbortSignal,
): Promise<ArrayBuffer> {
  const files = await caches.open(cache)
  const stored = await files.match(url)
  if (stored) return stored.arrayBuffer()
  const answer = await fetch(url, { signal: signal ?? null })
  const bytes = await answer.arrayBuffer()
  if (!answer.ok || bytes.byteLength < 4 || new DataView(bytes).getUint32(0) !== magic)
    throw new Error(`No file at ${url}: ${answer.status}`)
  for (const earlier of await files.keys()) await files.delete(earlier)
  await files.put(url, new Response(bytes, { headers: { 'content-type': type } }))
  return bytes
}

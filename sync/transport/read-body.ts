/**
 * Reads the bytes of an answer up to a limit (RULES PL11). Further bytes are not downloaded.
 * @param maxBytes limit in bytes
 * @returns null if the body is longer
 * @throws if the stream fails
 */
export async function readBody(
  stream: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const reader = stream?.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
    size += chunk.value.byteLength
    if (size > maxBytes) {
      await reader?.cancel()
      return null
    }
    chunks.push(chunk.value)
  }
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

/** Reads the bytes of an answer up to a limit (RULES PL11). Further bytes are not downloaded. */
import { yieldToScreen } from '#sync/lib/slices.ts'

type Bytes = Uint8Array<ArrayBuffer>

/**
 * @param maxBytes limit in bytes
 * @returns null if the body is longer
 * @throws if the stream fails
 */
export async function readBody(
  stream: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Bytes | null> {
  const reader = stream?.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const chunk = await reader?.read()
    if (!chunk || chunk.done) return joined(chunks, size)
    size += chunk.value.byteLength
    if (size > maxBytes) {
      await reader?.cancel()
      return null
    }
    chunks.push(chunk.value)
  }
}

async function joined(chunks: readonly Uint8Array[], size: number): Promise<Bytes> {
  const bytes = new Uint8Array(size)
  const pause = yieldToScreen()
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
    const paused = pause()
    if (paused) await paused
  }
  return bytes
}

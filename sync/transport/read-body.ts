/** The bytes of an answer, no more than are taken (RULES PL11): what comes after them does not come to the device. */
import { yieldToScreen } from '../lib/yield-to-screen.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** @param most bytes; null where there are more: it is not read to its end */
export async function readBody(
  stream: ReadableStream<Uint8Array> | null,
  most: number,
): Promise<Bytes | null> {
  const reader = stream?.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const chunk = await reader?.read()
    if (!chunk || chunk.done) return joined(chunks, size)
    size += chunk.value.byteLength
    if (size > most) {
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

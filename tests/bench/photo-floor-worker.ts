/** Decodes a photo, and encodes what the app keeps of it: a picture of 2048 pixels and a thumbnail. */
import { browserImages } from '#lib/browser-images.ts'
import { fitting } from '#lib/image.ts'

const SIZES = [2048, 192]
const QUALITY = 0.85

addEventListener('message', ({ data: { id, file } }: MessageEvent<{ id: number; file: File }>) => {
  void make(file).then((sizes) => postMessage({ id, sizes }))
})

async function make(file: File): Promise<number[]> {
  const bitmap = await browserImages.decode(await file.arrayBuffer())
  const made: number[] = []
  for (const longEdge of SIZES) {
    const { width, height } = fitting(bitmap, longEdge)
    made.push((await browserImages.jpeg(bitmap, width, height, QUALITY)).byteLength)
  }
  browserImages.close(bitmap)
  return made
}

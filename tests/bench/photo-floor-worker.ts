/**
 * Decodes a photo, and encodes what the app keeps of it, one after the other: a picture of 2048 pixels and a thumbnail, both
 * drawn from the photo. With nothing of the app's: what makes the app faster leaves its floor as it is.
 */
const SIZES = [2048, 192]
const QUALITY = 0.85

addEventListener('message', ({ data: { id, file } }: MessageEvent<{ id: number; file: File }>) => {
  void make(file).then((sizes) => postMessage({ id, sizes }))
})

async function make(file: File): Promise<number[]> {
  const bytes = await file.arrayBuffer()
  const bitmap = await createImageBitmap(new Blob([bytes]), { imageOrientation: 'from-image' })
  const made: number[] = []
  for (const longEdge of SIZES) made.push((await jpeg(bitmap, longEdge)).byteLength)
  bitmap.close()
  return made
}

async function jpeg(bitmap: ImageBitmap, longEdge: number): Promise<ArrayBuffer> {
  const scale = Math.min(1, longEdge / Math.max(bitmap.width, bitmap.height))
  const [width, height] = [Math.round(bitmap.width * scale), Math.round(bitmap.height * scale)]
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no canvas')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, width, height)
  context.imageSmoothingQuality = 'high'
  context.drawImage(bitmap, 0, 0, width, height)
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY })
  return blob.arrayBuffer()
}

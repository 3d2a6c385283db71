/** The floor of a photo: a worker that does nothing but decode and encode. */
import { exifSegment } from '../support/image-files.ts'

export interface Made {
  id: number
  sizes: number[]
}

declare global {
  interface Window {
    photos: { made: Promise<number> | undefined; draw: typeof draw }
  }
}

const TILE = 256
/** How much a camera's noise changes a pixel: with it 12 megapixels weigh some megabytes, as a camera's do. */
const NOISE = 40

/** Running before the first photo, as the app's is. */
const worker = new Worker(new URL('./photo-floor-worker.ts', import.meta.url), { type: 'module' })

/** One after the other: the least that has to be in memory. */
async function madeInWorker(files: readonly File[]): Promise<number> {
  const begin = performance.now()
  for (const [id, file] of files.entries())
    await new Promise<void>((resolve, reject) => {
      const hear = ({ data }: MessageEvent<Made>) => {
        if (data.id !== id) return
        worker.removeEventListener('message', hear)
        resolve()
      }
      worker.addEventListener('message', hear)
      worker.addEventListener('error', ({ message }) => reject(new Error(message)))
      worker.postMessage({ id, file })
    })
  return performance.now() - begin
}

/** A photo as a camera makes it, with its EXIF and a small picture in it, base64. */
async function draw(width: number, height: number): Promise<string> {
  const photo = await drawn(width, height)
  const exif = exifSegment({
    dateTime: '2026:11:20 10:15:00',
    offset: '+09:00',
    place: [35.6491, 139.8083],
    thumbnail: await drawn(160, 120),
  })
  const bytes = new Uint8Array(photo.length + exif.length)
  bytes.set(photo.subarray(0, 2))
  bytes.set(exif, 2)
  bytes.set(photo.subarray(2), 2 + exif.length)
  let text = ''
  for (let at = 0; at < bytes.length; at += 8_192)
    text += String.fromCodePoint(...bytes.subarray(at, at + 8_192))
  return btoa(text)
}

async function drawn(width: number, height: number): Promise<Uint8Array> {
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no canvas')
  const sky = context.createLinearGradient(0, 0, 0, height)
  sky.addColorStop(0, '#6d8aa0')
  sky.addColorStop(1, '#3d4a43')
  context.fillStyle = sky
  context.fillRect(0, 0, width, height)
  for (let n = 0; n < 60; n += 1) {
    context.fillStyle = `hsl(${(n * 47) % 360} 35% ${25 + (n % 5) * 10}%)`
    context.fillRect((n * 271) % width, (n * 173) % height, width / 9, height / 11)
  }
  const noise = await createImageBitmap(tileOfNoise())
  for (let x = 0; x < width; x += TILE) for (let y = 0; y < height; y += TILE) context.drawImage(noise, x, y)
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 })
  return new Uint8Array(await blob.arrayBuffer())
}

function tileOfNoise(): ImageData {
  const tile = new ImageData(TILE, TILE)
  const random = crypto.getRandomValues(new Uint8Array(TILE * TILE))
  for (const [i, value] of random.entries()) tile.data.set([value, value, value, NOISE], i * 4)
  return tile
}

window.photos = { made: undefined, draw }
document.querySelector('input')?.addEventListener('change', ({ currentTarget }) => {
  const { files } = currentTarget as HTMLInputElement
  window.photos.made = madeInWorker([...(files ?? [])])
})

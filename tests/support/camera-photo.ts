/** A photo as a phone's camera makes it: a JPEG that the browser has encoded, with EXIF of ours in front of it. */
import type { Page } from '@playwright/test'
import { exifSegment } from './image-files.ts'

/** Who took it with what, as the camera writes it. */
export const OWNER = 'OHNISHI SERIAL-0042'

/** Taken at 10:15 of that day in Tokyo, by somebody with a name. */
export async function cameraPhoto(
  page: Page,
  width: number,
  height: number,
  day = '2026:11:20',
): Promise<Buffer> {
  const encoded = await page.evaluate(draw, [width, height] as const)
  const jpeg = Buffer.from(encoded, 'base64')
  const exif = exifSegment({
    dateTime: `${day} 10:15:00`,
    offset: '+09:00',
    place: [35.6491, 139.8083],
    owner: OWNER,
  })
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.from(exif), jpeg.subarray(2)])
}

/** In the page. */
async function draw([width, height]: readonly [number, number]): Promise<string> {
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
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
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.9))
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''))
    reader.addEventListener('error', () => reject(reader.error))
    if (blob) reader.readAsDataURL(blob)
  })
  return url.slice(url.indexOf(',') + 1)
}

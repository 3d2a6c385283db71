import { describe, expect, test } from 'vitest'
import { pictureOf, PHOTOS_MAX_BYTES } from '#features/report-pdf/work-report.ts'
import { createPhotoJobs } from '#lib/image/photo-jobs.ts'
import { fakeImages, jpegFile } from '../../support/image-files.ts'

const bytes = { get: async () => Uint8Array.from(jpegFile({ width: 1200, height: 900 })).buffer }

/** A browser whose JPEGs have this many bytes for each pixel: half a one is noise. */
const drawing = (bytesPerPixel: number) => {
  const edges: number[] = []
  return {
    edges,
    thumb: async (_: Blob, longEdge = 192) => {
      edges.push(longEdge)
      return new ArrayBuffer(Math.round(longEdge * longEdge * 0.75 * bytesPerPixel))
    },
  }
}

describe('[issue 54] a photo of a report', () => {
  test.each([1, 10, 40, 200])('%i photos of noise stay below ten megabytes', async (count) => {
    const found = await pictureOf('p', count, { bytes, jobs: drawing(0.5) })
    const size = typeof found === 'string' ? 0 : found.byteLength
    expect(size).toBeGreaterThan(0)
    if (count <= 40) expect(size * count).toBeLessThanOrEqual(PHOTOS_MAX_BYTES)
  })

  test('one of a few is large; an ordinary one of forty is drawn once', async () => {
    const [few, many] = [drawing(0.15), drawing(0.15)]
    await pictureOf('p', 4, { bytes, jobs: few })
    await pictureOf('p', 40, { bytes, jobs: many })
    expect([few.edges, many.edges]).toEqual([[1_600], [1_162]])
  })

  test('of one that is not on the device, and of one that no browser draws', async () => {
    const without = { get: async () => undefined }
    expect(await pictureOf('p', 1, { bytes: without, jobs: drawing(1) })).toBe('absent')
    expect(await pictureOf('p', 1, { bytes, jobs: { thumb: async () => undefined } })).toBe('broken')
  })

  test.each([
    [50, 8_160, 6_120, true],
    [126, 14_000, 9_000, false],
  ])(
    'one of %i megapixels: drawn, or called broken before it is decoded',
    async (_, width, height, isDrawn) => {
      const { images, seen } = fakeImages()
      const large = { get: async () => Uint8Array.from(jpegFile({ width, height })).buffer }
      const found = await pictureOf('p', 1, { bytes: large, jobs: createPhotoJobs(images) })
      expect([typeof found === 'object', seen.decoded, seen.held]).toEqual([isDrawn, isDrawn ? 1 : 0, 0])
    },
  )
})

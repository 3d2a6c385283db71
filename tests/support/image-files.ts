/** Images for the tests, made by hand: whole files by their structure, whatever their pixels say. */
import type { Images, Picture, Size } from '#lib/image/image.ts'

const u16 = (n: number) => [n >> 8, n & 0xff]
const u32 = (n: number) => [...u16(n >>> 16), ...u16(n & 0xffff)]
export const ascii = (text: string) => Array.from(text, (sign) => sign.charCodeAt(0))

export const jpegSegment = (marker: number, body: readonly number[]) => [
  0xff,
  marker,
  ...u16(body.length + 2),
  ...body,
]

interface JpegOptions {
  width?: number
  height?: number
  /** Segments before the frame. */
  segments?: readonly (readonly number[])[]
  /** Of the whole file, filled up in its scan. */
  bytes?: number
  /** Behind the end. */
  tail?: readonly number[]
}

/** A JPEG from SOI to EOI. */
export function jpegFile({ width = 4, height = 3, segments = [], bytes = 0, tail = [] }: JpegOptions = {}) {
  const frame = jpegSegment(0xc0, [8, ...u16(height), ...u16(width), 1, 1, 0x11, 0])
  const scan = jpegSegment(0xda, [1, 1, 0, 0, 63, 0])
  const head = [0xff, 0xd8, ...segments.flat(), ...frame, ...scan]
  const filled = new Uint8Array(Math.max(head.length + 4, bytes - tail.length))
  filled.set(head)
  filled.fill(0x55, head.length)
  filled.set([0xff, 0xd9], filled.length - 2)
  const file = new Uint8Array(filled.length + tail.length)
  file.set(filled)
  file.set(tail, filled.length)
  return file
}

export const pngChunk = (name: string, body: readonly number[]) => [
  ...u32(body.length),
  ...ascii(name),
  ...body,
  ...u32(crc32([...ascii(name), ...body])),
]

/** The checksum of a chunk. */
function crc32(bytes: readonly number[]): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}

/** A PNG from its signature to IEND. */
export const pngFile = (width = 4, height = 3, chunks: readonly (readonly number[])[] = []) =>
  Uint8Array.from([
    ...[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    ...pngChunk('IHDR', [...u32(width), ...u32(height), 8, 2, 0, 0, 0]),
    ...chunks.flat(),
    ...pngChunk('IDAT', [1, 2, 3]),
    ...pngChunk('IEND', []),
  ])

interface ExifTags {
  dateTime?: string
  offset?: string
  /** DateTimeDigitized. */
  digitized?: string
  /** OffsetTimeDigitized, OffsetTime. */
  offsets?: readonly [string, string]
  orientation?: number
  /** The type of the orientation: SHORT (3) where nothing is said. */
  orientationType?: number
  /** Degrees, north and east positive. */
  place?: readonly [number, number]
  /** The letters of the place are not what they should be; '': there are none. */
  refs?: readonly [string, string]
  owner?: string
  /** A JPEG beside the photo (IFD1). */
  thumbnail?: Uint8Array
}

/** An EXIF segment. */
export const exifSegment = (tags: ExifTags): number[] =>
  jpegSegment(0xe1, [...ascii('Exif'), 0, 0, ...exifTiff(tags)])

/** EXIF (TIFF, big endian): IFD0, EXIF, GPS. */
export function exifTiff({
  dateTime,
  offset,
  digitized,
  offsets,
  orientation,
  orientationType = 3,
  place,
  refs,
  owner,
  thumbnail,
}: ExifTags): number[] {
  const text = (tag: number, value: string) => ({
    tag,
    type: 2,
    count: value.length + 1,
    data: [...ascii(value), 0],
  })
  const long = (tag: number, value: number) => ({ tag, type: 4, count: 1, data: u32(value) })
  const degrees = (tag: number, value: number) => ({
    tag,
    type: 5,
    count: 3,
    data: [Math.round(Math.abs(value) * 1e6), 1e6, 0, 1, 0, 1].flatMap(u32),
  })
  const exif = [
    ...(dateTime ? [text(0x9003, dateTime)] : []),
    ...(digitized ? [text(0x9004, digitized)] : []),
    ...(offsets ? [text(0x9010, offsets[1])] : []),
    ...(offset ? [text(0x9011, offset)] : []),
    ...(offsets ? [text(0x9012, offsets[0])] : []),
    // its owner, and the serial number of the camera
    ...(owner ? [text(0xa430, owner), text(0xa431, owner)] : []),
  ]
  const [north, east] = refs ?? (place ? [place[0] < 0 ? 'S' : 'N', place[1] < 0 ? 'W' : 'E'] : ['', ''])
  const gps = place
    ? [
        ...(north ? [text(1, north)] : []),
        degrees(2, place[0]),
        ...(east ? [text(3, east)] : []),
        degrees(4, place[1]),
      ]
    : []
  const own = [
    ...(orientation
      ? [{ tag: 0x112, type: orientationType, count: 1, data: numberOf(orientationType, orientation) }]
      : []),
    ...(owner ? [text(0x13b, owner)] : []),
  ]
  const main = (exifAt: number, gpsAt: number, nextAt = 0) =>
    ifd([...own, long(0x8769, exifAt), ...(place ? [long(0x8825, gpsAt)] : [])], 8, nextAt)
  const exifAt = 8 + main(0, 0).length
  const exifIfd = ifd(exif, exifAt)
  const gpsAt = exifAt + exifIfd.length
  const gpsIfd = ifd(gps, gpsAt)
  const nextAt = gpsAt + gpsIfd.length
  const second = thumbnail ? embedded(thumbnail, nextAt) : []
  const first = main(exifAt, gpsAt, thumbnail ? nextAt : 0)
  return [...ascii('MM'), 0, 42, ...u32(8), ...first, ...exifIfd, ...gpsIfd, ...second]
}

/** A number as its type has it: one byte, two, or four. */
const numberOf = (type: number, value: number) =>
  [1, 7].includes(type) ? [value, 0, 0, 0] : type === 3 ? [...u16(value), 0, 0] : u32(value)

/** IFD1: where the thumbnail lies, and behind it the thumbnail itself. */
function embedded(thumbnail: Uint8Array, at: number): number[] {
  const long = (tag: number, value: number) => ({ tag, type: 4, count: 1, data: u32(value) })
  const rows = (from: number) =>
    ifd(
      [
        { tag: 0x103, type: 3, count: 1, data: [0, 6, 0, 0] },
        long(0x201, from),
        long(0x202, thumbnail.length),
      ],
      at,
    )
  const from = at + rows(0).length
  return [...rows(from), ...thumbnail]
}

interface Entry {
  tag: number
  type: number
  count: number
  data: number[]
}

function ifd(entries: readonly Entry[], at: number, nextAt = 0): number[] {
  const extra: number[] = []
  const extraAt = at + 2 + entries.length * 12 + 4
  const rows = entries.flatMap(({ tag, type, count, data }) => {
    const isHere = data.length <= 4
    const value = isHere ? [...data, 0, 0, 0, 0].slice(0, 4) : u32(extraAt + extra.length)
    if (!isHere) extra.push(...data)
    return [...u16(tag), ...u16(type), ...u32(count), ...value]
  })
  return [...u16(entries.length), ...rows, ...u32(nextAt), ...extra]
}

/** As it is picked and read. */
export const photoFile = (bytes: Uint8Array<ArrayBuffer>) => ({
  file: new Blob([bytes]),
  bytes: bytes.buffer,
})

/** Draws nothing, and decodes whatever it is given; counts what it holds. */
export function fakeImages(bytes: (width: number) => number = (width) => Math.round(width / 10) + 4) {
  const seen = { drawn: [] as string[], decoded: 0, held: 0, most: 0 }
  const decoded = new Set<Size>()
  const images: Images<Size> = {
    async decode({ size, reduced }: Picture): Promise<Size> {
      seen.decoded += 1
      seen.held += 1
      const photo = reduced ?? { width: size.width, height: size.height }
      seen.most = Math.max(seen.most, decoded.add(photo).size)
      return photo
    },
    draw(_, { width, height }) {
      seen.drawn.push(`${width}x${height}`)
      seen.held += 1
      return { width, height }
    },
    async encode({ width, height }) {
      return jpegFile({ width, height, bytes: bytes(width) }).buffer
    },
    close(picture) {
      seen.held -= 1
      decoded.delete(picture)
    },
  }
  return { images, seen }
}

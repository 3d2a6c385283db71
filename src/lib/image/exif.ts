/** Reads what a camera stored in a photo. Only this file imports the EXIF library. */
import ExifReader from 'exifreader'

/** EXIF values as stored, not checked; undefined if missing. */
export interface RawExif {
  /** Times of the photo, the most reliable first, each with the time zones that it may have. */
  times?: readonly { text: unknown; zones: readonly unknown[] }[]
  latitude?: unknown
  latitudeRef?: unknown
  longitude?: unknown
  longitudeRef?: unknown
  orientation?: unknown
}

const TIMES = ['DateTimeOriginal', 'DateTimeDigitized']
const ZONES = ['OffsetTimeOriginal', 'OffsetTimeDigitized', 'OffsetTime']
const GPS = ['GPSLatitude', 'GPSLatitudeRef', 'GPSLongitude', 'GPSLongitudeRef']

/** The thumbnail in a photo's file, and the EXIF orientation of photo and thumbnail. */
export interface RawEmbedded {
  thumbnail?: ArrayBuffer
  orientation?: unknown
}

/** Never throws. Data that cannot be read counts as missing. @param bytes at least the beginning of the file */
export function readEmbedded(bytes: ArrayBuffer): RawEmbedded {
  try {
    const { exif, Thumbnail } = ExifReader.load(bytes, {
      expanded: true,
      includeTags: { exif: ['Orientation'], thumbnail: true },
    })
    const image = Thumbnail?.image
    return {
      ...(image instanceof ArrayBuffer && { thumbnail: image }),
      orientation: exif?.Orientation?.value,
    }
  } catch {
    return {}
  }
}

/** Never throws. EXIF that cannot be read counts as missing. */
export function readExif(bytes: ArrayBuffer): RawExif {
  try {
    const { exif } = ExifReader.load(bytes, {
      expanded: true,
      includeTags: { exif: ['Orientation', ...TIMES, ...ZONES, ...GPS] },
    })
    const zones = [exif?.OffsetTimeOriginal, exif?.OffsetTimeDigitized, exif?.OffsetTime].map(
      (tag) => tag?.description,
    )
    return {
      times: [
        { text: exif?.DateTimeOriginal?.description, zones },
        { text: exif?.DateTimeDigitized?.description, zones: [zones[1], zones[0], zones[2]] },
      ],
      latitude: exif?.GPSLatitude?.description,
      latitudeRef: exif?.GPSLatitudeRef?.value,
      longitude: exif?.GPSLongitude?.description,
      longitudeRef: exif?.GPSLongitudeRef?.value,
      orientation: exif?.Orientation?.value,
    }
  } catch {
    return {}
  }
}

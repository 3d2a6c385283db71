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
  /** The thumbnail in the photo's file, which has the same orientation. */
  thumbnail?: ArrayBuffer
}

const TIMES = ['DateTimeOriginal', 'DateTimeDigitized']
const ZONES = ['OffsetTimeOriginal', 'OffsetTimeDigitized', 'OffsetTime']
const GPS = ['GPSLatitude', 'GPSLatitudeRef', 'GPSLongitude', 'GPSLongitudeRef']

/** Never throws. EXIF that cannot be read counts as missing. @param bytes at least the beginning of the file */
export function readExif(bytes: ArrayBuffer): RawExif {
  try {
    const { exif, Thumbnail } = ExifReader.load(bytes, {
      expanded: true,
      includeTags: { exif: ['Orientation', ...TIMES, ...ZONES, ...GPS], thumbnail: true },
    })
    const zones = [exif?.OffsetTimeOriginal, exif?.OffsetTimeDigitized, exif?.OffsetTime].map(
      (tag) => tag?.description,
    )
    const thumbnail = Thumbnail?.image
    return {
      ...(thumbnail instanceof ArrayBuffer && { thumbnail }),
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

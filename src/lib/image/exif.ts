/**
 * What the camera wrote into a photo: when, where, which way up. The library is loaded with this file only, which stands in
 * the worker, or is loaded when a photo is taken where there is none.
 */
import ExifReader from 'exifreader'

/** As it stands there, unjudged; undefined where it does not. */
export interface RawExif {
  /** When it was taken, the best first, each with the zones that are said for it. */
  times?: readonly { text: unknown; zones: readonly unknown[] }[]
  /** Degrees without a sign, and N, S, E, W. */
  latitude?: unknown
  latitudeRef?: unknown
  longitude?: unknown
  longitudeRef?: unknown
  orientation?: unknown
}

const TIMES = ['DateTimeOriginal', 'DateTimeDigitized']
const ZONES = ['OffsetTimeOriginal', 'OffsetTimeDigitized', 'OffsetTime']
const GPS = ['GPSLatitude', 'GPSLatitudeRef', 'GPSLongitude', 'GPSLongitudeRef']

/** The small picture that a camera puts beside the photo, and which way up both are. */
export interface RawEmbedded {
  thumbnail?: ArrayBuffer
  orientation?: unknown
}

/** @param bytes of the file's beginning at least. Never throws: what cannot be read is none. */
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

/** Never throws: EXIF that cannot be read is none. */
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

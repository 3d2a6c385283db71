/**
 * What the camera wrote into a photo: when, where, which way up. The library is loaded with this file only, which stands in
 * the worker, or is loaded when a photo is taken where there is none.
 */
import ExifReader from 'exifreader'

/** As it stands there, unjudged; undefined where it does not. */
export interface RawExif {
  dateTime?: unknown
  offset?: unknown
  latitude?: unknown
  longitude?: unknown
  orientation?: unknown
}

const TAGS = ['Orientation', 'DateTimeOriginal', 'OffsetTimeOriginal']
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
    const { exif, gps } = ExifReader.load(bytes, {
      expanded: true,
      includeTags: { exif: [...TAGS, ...GPS], gps: true },
    })
    return {
      dateTime: exif?.DateTimeOriginal?.description,
      offset: exif?.OffsetTimeOriginal?.description,
      latitude: gps?.Latitude,
      longitude: gps?.Longitude,
      orientation: exif?.Orientation?.value,
    }
  } catch {
    return {}
  }
}
